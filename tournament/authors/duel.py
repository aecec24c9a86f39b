"""A duel: which bot is better, and how certain the boards played so far make that.

Nothing is stored. The number of boards of a duel is fixed beforehand. An interval for that number
is right at its end and at no other time, so before that, and where somebody looks again and again,
only the always-valid interval counts. `comparison.py` is for playing until the boards tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.statistics.intervals import Cluster, Estimate, mean, rate
from leaderboard.statistics.sequential import Leads, interval, unseen
from tournament.authors.boards import Board, Slip

POWER = 2.801585
"""How many standard errors a lead must have to be shown in 80 % of duels: 1.959964 + .841621."""


@dataclass(frozen=True, slots=True)
class Form:
    """A bot's performance: its share of boards won, where a tie is shared, and its lead.

    The lead is how far its score in a game is above the mean of its opponents', with the interval
    for a number of boards that was fixed beforehand. `always` is the interval that may be looked
    at after every board; None where there are too few. `less_luck` is the lead without the luck
    with the cards, None where the game counts none. `faults` counts the answers that were rejected,
    and `forgiven` those of them that count for nothing; `slowest` is its longest
    answer in microseconds.
    """

    name: str
    won: Estimate
    lead: Estimate
    always: tuple[float, float] | None
    less_luck: Estimate | None
    faults: int
    forgiven: int
    slowest: int


class Duel:
    """The boards of a duel between bots of these names, as they come in.

    `planned` is the number of boards that was fixed beforehand.
    """

    def __init__(self, names: Sequence[str], planned: int) -> None:
        self._names = tuple(names)
        self._planned = planned
        self._won: list[list[Cluster]] = [[] for _ in names]
        self._leads: list[list[Cluster]] = [[] for _ in names]
        self._sums = [Leads() for _ in names]
        self._less_luck: list[list[Cluster]] = [[] for _ in names]
        self._faults = [0] * len(names)
        self._forgiven = [0] * len(names)
        self._slowest = [0] * len(names)
        self.slips: dict[int, Slip] = {}
        """Every bot's first fault, by its place among the names."""

    @property
    def boards(self) -> int:
        return len(self._won[0])

    def take_in(self, board: Board) -> None:
        """Add a board that was played, with all its turns."""
        for entrant, showing in enumerate(board.showings):
            self._won[entrant].append((float(showing.won), 1))
            self._leads[entrant].append((float(showing.lead), board.games))
            self._sums[entrant] = self._sums[entrant].add(showing.lead / board.games)
            if showing.less_luck is not None:
                self._less_luck[entrant].append((float(showing.less_luck), board.games))
            self._faults[entrant] += showing.faults
            self._forgiven[entrant] += showing.forgiven
            self._slowest[entrant] = max(self._slowest[entrant], showing.slowest)
            if showing.slip:
                self.slips.setdefault(entrant, showing.slip)

    def forms(self) -> tuple[Form, ...]:
        """Each bot's performance; raises `ValueError` before the first board."""
        return tuple(
            Form(
                name,
                rate(self._won[entrant]),
                mean(self._leads[entrant]),
                interval(self._sums[entrant]),
                mean(lucky) if (lucky := self._less_luck[entrant]) else None,
                self._faults[entrant],
                self._forgiven[entrant],
                self._slowest[entrant],
            )
            for entrant, name in enumerate(self._names)
        )

    def verdict(self) -> str:
        """Say in a sentence what the boards show about the first bot.

        A duel that was ended early is judged by the always-valid interval.
        """
        form, *others = self.forms()
        them = others[0].name if len(others) == 1 else "the others"
        early = self.boards < self._planned
        lead, low, high = form.lead.value, form.lead.low, form.lead.high
        if low is None or high is None:
            few = "one board is" if self.boards == 1 else f"{self.boards} boards are"
            return f"{few} too few to tell"
        if low == high:
            shown = f"every board gave the same lead of {points(lead)} a game"
            return shown if lead else f"no board made any difference between {form.name} and {them}"
        if early:
            if form.always is None:
                return f"{self.boards} boards are too few to tell"
            low, high = form.always
        sure = "95 %, at any time" if early else "95 %"
        if low <= 0 <= high:
            return (
                f"too close to tell: the lead of {form.name} over {them} is between"
                f" {points(low)} and {points(high)} a game ({sure})"
            )
        word, verb = ("better", "leads") if lead > 0 else ("worse", "is behind")
        least, most = sorted((abs(low), abs(high)))
        return (
            f"{form.name} is {word} than {them}: it {verb} by {points(least).lstrip('+')} to"
            f" {points(most).lstrip('+')} a game ({sure})"
        )

    def at_any_time(self) -> str | None:
        """Give the always-valid interval that stands beside a duel's verdict, or None.

        A duel that was ended early is judged by it anyway.
        """
        form, *_ = self.forms()
        if self.boards < self._planned or form.always is None:
            return None
        low, high = form.always
        return (
            f"whoever looks after every board needs a wider interval: {points(low)} to"
            f" {points(high)} a game (95 %, at any time)"
        )

    def caution(self) -> str | None:
        """Say what the always-valid interval can't know of; None where there is no interval."""
        return caution(self._sums[0])

    def power(self) -> str | None:
        """Say what lead a duel of this length shows in 80 % of cases; None if it was ended early.

        It does not depend on the lead that was seen, so it invites nobody to play on until a
        difference shows. Also None where no two boards differed.
        """
        deviation = self._sums[0].deviation
        if self.boards < max(2, self._planned) or not deviation:
            return None
        lead = POWER * deviation / math.sqrt(self.boards - 1)
        return (
            f"a duel of {self.boards} boards shows a true lead of {points(lead).lstrip('+')} a game"
            " in 80 % of cases; to play until the boards tell, use `arena compare`"
        )


def caution(leads: Leads) -> str | None:
    """Say what an interval that holds at any time can't know of; None where there is none."""
    if interval(leads) is None:
        return None
    return (
        f"what comes once in {unseen(leads):,} boards or more seldom, such as a rare disaster, may"
        " not have come yet: the interval that holds at any time doesn't count it"
    )


def points(value: float) -> str:
    """A mean of points with its sign, to three digits or to the whole point."""
    return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3g}"
