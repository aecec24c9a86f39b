"""How the pages write numbers, times and the words of strangers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup, escape

from common.printable import printable
from leaderboard.statistics.certainty import percent
from leaderboard.views import Address, SeatLine, places
from leaderboard.views.upcoming import moment_in

MOST = 1000
"""So many characters of a stranger's text stand on a page."""

MOST_PRINTED = 4_000
"""So many characters stand there of the beginning of what a build printed, and of its end."""


def stranger(text: object, most: int = MOST) -> Markup:
    """Write what a stranger wrote so that it can do no harm, hides nothing and has an end.

    Markup is escaped; signs that don't print (escape sequences, direction marks, zero width signs)
    are spelled out in a box. After `most` characters it is said how many there are.
    """
    whole = str(text)
    written = _written(whole[:most], "")
    if len(whole) <= most:
        return written
    return written + Markup('… <span class="quiet">({} characters in all)</span>').format(
        number(len(whole))
    )


def _written(text: str, kept: str) -> Markup:
    return Markup("").join(
        escape(run) if plain else Markup('<span class="odd">{}</span>').format(_spelled(run))
        for plain, run in _runs(text, kept)
    )


def _runs(text: str, kept: str) -> Iterator[tuple[bool, str]]:
    """Cut text into runs that print (True) and runs that don't."""
    run, plain = "", True
    for sign in text:
        prints = sign.isprintable() or sign in kept
        if prints != plain and run:
            yield plain, run
            run = ""
        plain = prints
        run += sign
    if run:
        yield plain, run


def _spelled(run: str) -> str:
    return run.encode("unicode_escape", "surrogatepass").decode("ascii")


def plain(text: object, most: int = MOST) -> str:
    """Write what a stranger wrote where no markup can stand, as `stranger` does; cut off."""
    line = printable(" ".join(str(text)[: 2 * most].split()), kept="")
    return line if len(line) <= most else f"{line[: most - 1]}…"


def output(text: str) -> Markup:
    """Write what a build printed: as `stranger`, over several lines, with its end."""
    if len(text) <= 2 * MOST_PRINTED:
        return _written(text, "\n\t")
    left_out = Markup('\n<span class="quiet">… {} characters left out …</span>\n').format(
        number(len(text) - 2 * MOST_PRINTED)
    )
    ends = (text[:MOST_PRINTED], text[-MOST_PRINTED:])
    return left_out.join(_written(end, "\n\t") for end in ends)


def number(value: float, places: int = 0) -> str:
    """Write a number with thin gaps between thousands and a real minus: `1 234.5`, `−12`."""
    text = f"{value:,.{places}f}".replace(",", "\u202f")
    if not re.search("[1-9]", text):
        return text.lstrip("-")
    return text.replace("-", "−")


def points(value: float) -> str:
    """Write a season's points."""
    return number(value, places(value))


def signed(value: float, places: int = 0) -> str:
    """Write a change: `+12`, `−3`, `0`."""
    text = number(value, places)
    return f"+{text}" if value > 0 and re.search("[1-9]", text) else text


def figure(value: str) -> str:
    """Write a value of a scene as other numbers are, `1 234`, `−12`, `+3`; words stay words."""
    if not re.fullmatch("[+-]?[0-9]+", value):
        return value
    return f"{'+' * value.startswith('+')}{number(int(value))}"


def share(part: float, whole: float, places: int = 0) -> str:
    """Write a part of a whole in per cent, nothing of nothing as a dash."""
    return f"{100 * part / whole:.{places}f} %" if whole else "–"


def took(microseconds: int) -> str:
    """Write how long something took: `0.8 ms`, `1.2 s`."""
    milliseconds = microseconds / 1000
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def memory(size: int) -> str:
    """Write so many bytes: `11.4 MiB`."""
    return f"{size / 2**20:.1f} MiB"


def when(moment: datetime | None) -> Markup:
    """Write a moment as `<time>`, to the minute, in UTC."""
    if moment is None:
        return Markup("–")
    return Markup('<time datetime="{}">{} UTC</time>').format(
        moment.isoformat(timespec="seconds"), f"{moment:%-d %b %Y, %H:%M}"
    )


def when_in(moment: datetime, zone: str) -> Markup:
    """Write a moment as `<time>` in a zone of its own, and in UTC where that is another one."""
    written = Markup('<time datetime="{}">{}</time>').format(
        moment.isoformat(timespec="seconds"),
        Markup("<wbr>").join(re.split("(?<=[/_])", moment_in(moment, zone))),
    )
    if zone == "UTC":
        return written
    return written + Markup(' <span class="sub">{:%-d %b, %H:%M} UTC</span>').format(
        moment.astimezone(UTC)
    )


def capitalise(text: str) -> str:
    """Begin a sentence with a capital letter and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """Go on with a sentence: the first letter small, the rest as it is."""
    return text[:1].lower() + text[1:]


def progress(played: int, planned: int | None) -> str:
    """Say how far something is: "55 of 192", or just how much where its end is not known."""
    return number(played) if planned is None else f"{number(played)} of {number(planned)}"


def match_title(address: Address) -> str:
    """Name a match within its season: "Tourney 7, round 2, table A".

    A first tourney whose tables carry nothing on is most often the only one and not worth a word.
    """
    place = f"round {address.round}, table {address.table}"
    if address.leg == 1 and not address.carries:
        return f"R{place[1:]}"
    return f"Tourney {address.leg}, {place}"


def season_title(address: Address) -> str:
    """Name the season that a match belongs to: "friday, season 3"."""
    return f"{address.tournament}, season {address.season}"


def outcome(seats: Sequence[SeatLine]) -> str:
    """Say who beat whom and the score, the best side first.

    Two sides read "davey – lim17, 453 : 41", more of them "davey 12, lim17 6, chatty 0".
    """
    bots = Counter(seat.bot for seat in seats)
    found = [
        (
            " and ".join(
                seat.bot if bots[seat.bot] == 1 else f"{seat.bot} v{seat.version}" for seat in side
            ),
            number(side[0].score),
        )
        for side in sides(seats)
    ]
    if len(found) == 2:
        (best, most), (other, least) = found
        return f"{best} – {other}, {most} : {least}"
    # no line ends between a bot and its score
    return ", ".join(f"{name}\u00a0{score}" for name, score in found)


def sides(seats: Sequence[SeatLine]) -> list[list[SeatLine]]:
    """Put partners together, the best side first."""
    found: dict[int, list[SeatLine]] = {}
    for seat in sorted(seats, key=lambda seat: seat.rank):
        found.setdefault(seat.side, []).append(seat)
    return list(found.values())


def seats_text(seats: Sequence[int]) -> str:
    """Name seats by the numbers that the protocol gives them: "seat 3", "seats 0 and 2"."""
    numbers = " and ".join(map(str, seats))
    return f"seat {numbers}" if len(seats) == 1 else f"seats {numbers}"


def difference(value: float) -> str:
    """Write a difference of scores or of their mean: `+12`, `−3.5`."""
    return signed(value, 0 if value == int(value) else 1)


def flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Name every setting once, nested ones with dots: `("clock.question", "1s")`."""
    for key, value in settings.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{name}.")
        elif isinstance(value, list | tuple):
            yield name, ", ".join(map(str, value)) or "none"
        else:
            yield name, "–" if value in (None, "", {}) else str(value)


FILTERS = {
    "stranger": stranger,
    "plain": plain,
    "output": output,
    "number": number,
    "points": points,
    "signed": signed,
    "figure": figure,
    "took": took,
    "memory": memory,
    "when": when,
    "match_title": match_title,
    "moment_in": moment_in,
    "when_in": when_in,
    "percent": percent,
    "capitalise": capitalise,
    "lower_first": lower_first,
    "outcome": outcome,
    "season_title": season_title,
    "sides": sides,
    "seats_text": seats_text,
    "difference": difference,
    "flat": flat,
}
"""What the templates may call behind a bar."""


def repro_name(key: str, game: int, turn: int) -> str:
    """The name of the file that holds a question: game 1, turn 17 of friday/0001/t01/r1/a."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', key)}-{game}-{turn}.json"
