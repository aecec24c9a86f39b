"""The games of a duplicate match side by side: the same cards with the seats rotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leaderboard.leads import board_lead, counted
from leaderboard.views import MatchPage
from tables.game import Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an entrant did in one game: where it sat, and its side's score."""

    seats: tuple[Seat, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of a match: its `number` in the match and its `turn` on the board, both from 1."""

    number: int
    turn: int
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The games that were dealt the same packs; `number` counts from 1.

    `differences` hold every entrant's score on this board minus the mean of its opponents'.
    """

    number: int
    games: tuple[Sitting, ...]
    scores: tuple[int, ...]
    differences: tuple[float, ...]


def boards(match: MatchPage) -> tuple[Board, ...]:
    """Group the games of a match by the packs that were dealt."""
    sides = [seat.side for seat in match.seats]
    games = list(enumerate(zip(match.boards, match.seatings, match.records, strict=True), start=1))
    found = []
    for board, group in groupby(games, key=lambda numbered: numbered[1][0]):
        played = tuple(
            Sitting(
                number,
                turn,
                tuple(
                    _outcome(seating, record.over.scores, entrant) for entrant in range(len(sides))
                ),
            )
            for turn, (number, (_, seating, record)) in enumerate(group, start=1)
        )
        scores = tuple(
            sum(game.outcomes[entrant].score for game in played) for entrant in range(len(sides))
        )
        found.append(Board(board + 1, played, scores, differences(scores, sides)))
    return tuple(found)


def totals(match: MatchPage) -> tuple[tuple[int, float], ...]:
    """Every entrant's score and its lead over all boards, as it counts for the season.

    The lead is the sum of its differences, unless a bot was struck out.
    """
    sides = [seat.side for seat in match.seats]
    leads_of_games = [
        board_lead(scores, sides, penalties)
        for record, seating in zip(match.records, match.seatings, strict=True)
        for scores, penalties in [counted(record, seating, sides)]
    ]
    return tuple(
        (seat.score, float(sum(leads)))
        for seat, leads in zip(match.seats, zip(*leads_of_games, strict=True), strict=True)
    )


def differences(scores: Sequence[int], sides: Sequence[int]) -> tuple[float, ...]:
    """Every entrant's score minus the mean of the other sides' scores; 0 without another side."""
    found = []
    for score, side in zip(scores, sides, strict=True):
        others = [other for other, its in zip(scores, sides, strict=True) if its != side]
        found.append(score - sum(others) / len(others) if others else 0.0)
    return tuple(found)


def _outcome(seating: Sequence[int], scores: Sequence[int], entrant: int) -> Outcome:
    seats = tuple(seat for seat, sitting in enumerate(seating) if sitting == entrant)
    return Outcome(seats, scores[seats[0]])


def seat_names(match: MatchPage, number: int) -> list[str]:
    """The names of the seats in a game of a match, distinct for each seat."""
    bots = Counter(seat.bot for seat in match.seats)
    chairs = Counter(match.seatings[number])
    return [
        (seat.bot if bots[seat.bot] == 1 else f"{seat.bot} v{seat.version}")
        + (f" (seat {place})" if chairs[entrant] > 1 else "")
        for place, (entrant, seat) in enumerate(
            zip(match.seatings[number], match.at_table(number), strict=True)
        )
    ]
