"""Filters of templates for titles, numbers, times and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from flask import url_for
from markupsafe import Markup, escape

from card_arena.common import moments
from card_arena.common.text import LINES, one_line, quoted, runs, spelled
from card_arena.leaderboard import seasons
from card_arena.leaderboard.matches import Address, Entrant
from card_arena.leaderboard.seasons import time_left as read_time_left
from card_arena.leaderboard.standings import places, reach_places
from card_arena.leaderboard.web.replays import bot_name
from card_arena.ratings.certainty import percent
from card_arena.ratings.pace import Pace
from card_arena.tables.drawing import with_suit_signs
from card_arena.tables.registry import GAMES


def number(value: float, places: int = 0) -> str:
    """Write a number with thin gaps between thousands and a real minus: `1 234.5`, `−12`."""
    text = f"{value:,.{places}f}".replace(",", "\u202f")
    if not re.search("[1-9]", text):
        return text.lstrip("-")
    return text.replace("-", "−")


def points(value: float) -> str:
    return number(value, places(value))


def reach(value: float, places: int) -> str:
    """Write how far an interval reaches beside a figure of so many decimals: `0.31`, `0.042`."""
    return number(value, max(places, reach_places(value)))


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
    """Write a share as a percentage: `12 %`, or a dash where the whole is 0."""
    return f"{100 * part / whole:.{places}f} %" if whole else "–"


def took(microseconds: int) -> str:
    """Write how long something took: `0.8 ms`, `1.2 s`."""
    milliseconds = microseconds / 1000
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def memory(size: int) -> str:
    """Write a number of bytes: `11.4 MiB`."""
    return f"{size / 2**20:.1f} MiB"


def progress(played: int, planned: int | None, *, at_most: bool = False) -> str:
    """Say how far something is: "55 of 192", or just how much where its end is not known.

    Where the end is a bound it reads "55 of at most 192".
    """
    if planned is None:
        return number(played)
    return f"{number(played)} of {'at most ' if at_most else ''}{number(planned)}"


def difference(value: float) -> str:
    """Write a difference of scores or of their mean: `+12`, `−3.5`."""
    return signed(value, 0 if value == int(value) else 1)


class Times:
    """Filters that write moments; `zone` is the arena's time zone."""

    def __init__(self, zone: str = "UTC") -> None:
        self.zone = zone

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        return {
            "when": self.when,
            "deadline": self.deadline,
            "in_words": self.in_words,
            "local_field": self.local_field,
            "told": self.told,
        }

    def when(self, moment: datetime | None, zone: str = "UTC") -> Markup:
        """Write a moment as `<time>`, to the minute, in a zone's time and in UTC.

        Without a zone, or where that is UTC, it is the arena's.
        """
        return self._written(moment, zone, exact=False)

    def deadline(self, moment: datetime | None) -> Markup:
        """Write a moment that decides something: to the second, and with the time that is left."""
        if moment is None:
            return self.when(None)
        left = moments.time_left(moment, datetime.now(UTC))
        return self._written(moment, self.zone, exact=True) + Markup(", <b>{}</b>").format(left)

    def in_words(self, moment: datetime, zone: str = "UTC") -> str:
        """Write a moment as plain text, in a zone's time and in UTC; by default the arena's."""
        return moments.written(moment, self._of(zone))

    def local_field(self, moment: datetime | None) -> str:
        """Write a moment as a browser's field for a time in the arena's zone takes it."""
        return moments.local_field(moment, self.zone)

    def told(self, value: object) -> str:
        """Write a value of the log, which may be a moment."""
        return moments.log_value(value, self.zone)

    def time_left(self, pace: Pace | None, to_come: int, *, at_most: bool) -> Markup:
        """Continue "312 of 900 matches played" with the time left at the present pace.

        A season without a new match for unusually long counts as interrupted. Empty if the time
        is unknown.
        """
        left = read_time_left(pace, to_come, at_most=at_most)
        if pace is None or not left:
            return Markup("")
        if not pace.interrupted(datetime.now(UTC)):
            return Markup(", {} left at the pace of the last {}").format(left, pace.matches)
        return Markup(
            ". None has been stored since {}; after it resumes, {} left at the pace of the last {}"
        ).format(self.when(pace.newest), left, pace.matches)

    def _written(self, moment: datetime | None, zone: str, *, exact: bool) -> Markup:
        if moment is None:
            return Markup("–")
        local, utc = moments.written_apart(moment, self._of(zone), exact=exact)
        written = Markup('<time datetime="{}">{}</time>').format(
            moments.to_iso(moment.replace(microsecond=0)),
            Markup("<wbr>").join(re.split("(?<=[/_])", local)),
        )
        return written + Markup(' <span class="quiet">({})</span>').format(utc) if utc else written

    def _of(self, zone: str) -> str:
        return self.zone if zone == "UTC" else zone


def refuse_bare(value: Any) -> Any:
    """Return a value unchanged; raises `TypeError` for a moment without a filter."""
    if isinstance(value, datetime):
        raise TypeError(f"a template writes {value!r} itself; expected one of the filters of Times")
    return value


MOST = 1000
"""How many characters of a stranger's text a page shows."""

MOST_PRINTED = 4_000
"""How many characters it shows of the beginning of a build log, and of its end."""


def stranger(text: object, most: int = MOST) -> Markup:
    """Write untrusted text: escaped, with all characters visible, and cut off.

    Markup is escaped; characters that don't print (escape sequences, direction marks, zero width
    spaces) are spelled out in a box. After `most` characters comes how many there are in all.
    """
    whole = str(text)
    written = _written(whole[:most], "")
    if len(whole) <= most:
        return written
    return written + Markup('… <span class="quiet">({} characters in all)</span>').format(
        number(len(whole))
    )


def _written(text: str, allowed: str) -> Markup:
    return Markup("").join(
        escape(run) if plain else Markup('<span class="odd">{}</span>').format(spelled(run))
        for plain, run in runs(text, allowed)
    )


def plain(text: object, most: int = MOST) -> str:
    """Write text as `stranger` does where no markup is possible, on one line."""
    line = one_line(" ".join(str(text)[: 2 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def output(text: str) -> Markup:
    """Write a build log as `stranger` does, over several lines, with its beginning and its end."""
    if len(text) <= 2 * MOST_PRINTED:
        return _written(text, LINES)
    left_out = Markup('\n<span class="quiet">… {} characters left out …</span>\n').format(
        number(len(text) - 2 * MOST_PRINTED)
    )
    ends = (text[:MOST_PRINTED], text[-MOST_PRINTED:])
    return left_out.join(_written(end, LINES) for end in ends)


def capitalise(text: str) -> str:
    """Begin a sentence with a capital letter and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """Begin with a small letter and leave the rest as it is."""
    return text[:1].lower() + text[1:]


def with_terms(text: str, game: str) -> Markup:
    """Write plain text whose words of a game lead to its rules, each the first time it appears.

    The text of a game that is not installed has no links.
    """
    terms = _terms(game)
    if terms is None:
        return escape(text)
    pattern, anchors = terms
    linked: set[str] = set()
    written = Markup("")
    for at, part in enumerate(pattern.split(text)):
        anchor = anchors[part.lower()] if at % 2 else ""
        if anchor and anchor not in linked:
            linked.add(anchor)
            address = url_for("pages.rules", name=game, _anchor=anchor)
            written += Markup('<a href="{}">{}</a>').format(address, part)
        else:
            written += part
    return written


@lru_cache
def _terms(game: str) -> tuple[re.Pattern[str], Mapping[str, str]] | None:
    """The pattern that finds the words of a game, and their anchors."""
    terms = GAMES[game].presentation.terms if game in GAMES else {}
    if not terms:
        return None
    words = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
    # no part of a bot's name such as nil-bot
    return re.compile(rf"(?<![\w-])({words})(?![\w-])", re.IGNORECASE), terms


def match_title(address: Address) -> str:
    """Name a match within its season: "Leg 7, round 2, table A"."""
    return capitalise(", ".join(address.labels))


def season_title(address: Address) -> str:
    """Name the season that a match belongs to."""
    return seasons.season_title(address.tournament, address.season)


def outcome(seats: Sequence[Entrant]) -> str:
    """Say who beat whom and the score, the best side first.

    Two sides are written "davey – lim17, 453 : 41", more of them "davey 12, lim17 6, chatty 0".
    """
    bots = Counter(seat.bot for seat in seats)
    results = [
        (
            " and ".join(
                seat.bot if bots[seat.bot] == 1 else f"{seat.bot} v{seat.version}" for seat in side
            ),
            number(side[0].score),
        )
        for side in sides(seats)
    ]
    if len(results) == 2:
        (best, most), (other, least) = results
        return f"{best} – {other}, {most} : {least}"
    # no line ends between a bot and its score
    return ", ".join(f"{name}\u00a0{score}" for name, score in results)


def sides(seats: Sequence[Entrant]) -> list[list[Entrant]]:
    """Put partners together, the best side first."""
    seats_by_side: dict[int, list[Entrant]] = {}
    for seat in sorted(seats, key=lambda seat: seat.rank):
        seats_by_side.setdefault(seat.side, []).append(seat)
    return list(seats_by_side.values())


def seats_text(seats: Sequence[int]) -> str:
    """Name seats by the numbers that the protocol gives them: "seat 3", "seats 0 and 2"."""
    numbers = " and ".join(map(str, seats))
    return f"seat {numbers}" if len(seats) == 1 else f"seats {numbers}"


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
    function.__name__: function
    for function in (
        stranger,
        plain,
        output,
        quoted,
        with_suit_signs,
        with_terms,
        number,
        points,
        reach,
        signed,
        figure,
        took,
        memory,
        match_title,
        percent,
        capitalise,
        lower_first,
        outcome,
        season_title,
        sides,
        seats_text,
        bot_name,
        difference,
        flat,
    )
}
"""The filters by their names in templates."""


def repro_name(key: str, game: int, turn: int) -> str:
    """The name of the file that holds a question: game 1, turn 17 of friday/0001/t01/r1/a."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', key)}-{game}-{turn}.json"
