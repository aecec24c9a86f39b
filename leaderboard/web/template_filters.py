"""What the templates may call: how pages write titles and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leaderboard.statistics.certainty import percent
from leaderboard.views import Address, SeatLine
from leaderboard.web.number_formats import (
    difference,
    figure,
    memory,
    number,
    points,
    reach,
    signed,
    took,
)
from leaderboard.web.untrusted_text import output, plain, stranger


def capitalise(text: str) -> str:
    """Begin a sentence with a capital letter and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """Go on with a sentence: the first letter small, the rest as it is."""
    return text[:1].lower() + text[1:]


def match_title(address: Address) -> str:
    """Name a match within its season: "Leg 7, round 2, table A"."""
    return capitalise(", ".join(address.labels))


def season_title(address: Address) -> str:
    """Name the season that a match belongs to: "friday, season 3"."""
    return f"{address.tournament}, season {address.season}"


def outcome(seats: Sequence[SeatLine]) -> str:
    """Say who beat whom and the score, the best side first.

    Two sides are written "davey – lim17, 453 : 41", more of them "davey 12, lim17 6, chatty 0".
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
    "reach": reach,
    "signed": signed,
    "figure": figure,
    "took": took,
    "memory": memory,
    "match_title": match_title,
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
