"""A duel: which bot is better, and how certain the boards played so far make that.

Each board is a match of its own, so boards are played in parallel on all cores. Nothing is stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import count, islice

from common.faults import FaultEvent
from leaderboard.match_key import MatchKey
from leaderboard.results import FaultPlace, Played, leads, scorecard
from leaderboard.statistics.intervals import Cluster, Estimate, mean, rate
from leaderboard.statistics.luck import leads_on_boards
from tournament.play.match import RETRIES, MatchVoid, Ticket, play_match
from tournament.play.worker_pool import WorkerLost, WorkerPool

IN_FLIGHT = 2
"""Boards handed out for each worker, so that no worker waits for us."""


@dataclass(frozen=True, slots=True)
class Form:
    """A bot's performance: its share of boards won, where a tie is shared, and its lead.

    The lead is how far its score in a game is above the mean of its opponents'; `less_luck` is the
    same without the luck with the cards, None where the game counts none. `faults` counts the
    answers that were rejected; `slowest` is its longest answer in microseconds.
    """

    name: str
    won: Estimate
    lead: Estimate
    less_luck: Estimate | None
    faults: int
    slowest: int


@dataclass(frozen=True, slots=True)
class Slip:
    """A fault: the number of its board, what happened, and the end of the game's standard error."""

    board: int
    place: FaultPlace
    fault: FaultEvent
    stderr: str


class Duel:
    """The boards of a duel between bots of these names, as they come in."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._won: list[list[Cluster]] = [[] for _ in names]
        self._leads: list[list[Cluster]] = [[] for _ in names]
        self._less_luck: list[list[Cluster]] = [[] for _ in names]
        self._faults = [0] * len(names)
        self._slowest = [0] * len(names)
        self.slips: dict[int, Slip] = {}
        """Every bot's first fault, by its place among the names."""

    @property
    def boards(self) -> int:
        """The number of boards played."""
        return len(self._won[0])

    def take_in(self, played: Played) -> None:
        """Add a board that was played, with all its turns."""
        found = scorecard(played.records, played.seatings, played.sides)
        tallies = found.tallies
        for place, fault in found.faults:
            wrote = played.stderr[place.record][place.seat] if played.stderr else ""
            self.slips.setdefault(place.entrant, Slip(self.boards + 1, place, fault, wrote))
        match_leads = leads(
            [tally.side for tally in tallies],
            [tally.rank for tally in tallies],
            [tally.score for tally in tallies],
        )
        first = {tally.side for tally in tallies if tally.rank == 0}
        games = len(played.records)
        for board in leads_on_boards(found):
            for entrant, lead in enumerate(board):
                self._less_luck[entrant].append((float(lead), games // len(found.boards)))
        for entrant, tally in enumerate(tallies):
            share = 1 / len(first) if tally.side in first else 0.0
            self._won[entrant].append((share, 1))
            self._leads[entrant].append((float(match_leads[entrant]), games))
            self._faults[entrant] += tally.faults
            self._slowest[entrant] = max(self._slowest[entrant], tally.slowest)

    def forms(self) -> tuple[Form, ...]:
        """Each bot's performance; raises `ValueError` before the first board."""
        figures = zip(
            self._names,
            self._won,
            self._leads,
            self._less_luck,
            self._faults,
            self._slowest,
            strict=True,
        )
        return tuple(
            Form(name, rate(won), mean(leads), mean(lucky) if lucky else None, faults, slowest)
            for name, won, leads, lucky, faults, slowest in figures
        )

    def verdict(self) -> str:
        """Say in a sentence what the boards show about the first bot."""
        form, *others = self.forms()
        lead, low, high = form.lead.value, form.lead.low, form.lead.high
        them = others[0].name if len(others) == 1 else "the others"
        if low is None or high is None:
            return "one board is too few to tell"
        if low == high:
            shown = f"every board gave the same lead of {points(lead)} a game"
            return shown if lead else f"no board made any difference between {form.name} and {them}"
        if low <= 0 <= high:
            shown = (
                f"too close to tell: the lead of {form.name} over {them} is between"
                f" {points(low)} and {points(high)} a game (95 %)"
            )
            if not lead:
                return shown
            wanted = self.boards * ((high - low) / 2 / lead) ** 2
            return (
                f"{shown}; if it really is {points(lead)}, about {wanted:,.0f} boards would show it"
            )
        word, verb = ("better", "leads") if lead > 0 else ("worse", "is behind")
        least, most = sorted((abs(low), abs(high)))
        return (
            f"{form.name} is {word} than {them}: it {verb} by {points(least).lstrip('+')} to"
            f" {points(most).lstrip('+')} a game (95 %)"
        )


def points(value: float) -> str:
    """A mean of points with its sign, to three digits or to the whole point."""
    return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3g}"


def play_boards(board: Ticket, pool: WorkerPool, boards: int) -> Iterator[Played]:
    """Play a match repeatedly with new cards, each board once; yield the boards in order.

    A board made void by a failure of the arena is played again, as in a season. Raises `MatchVoid`
    and `WorkerLost` if that does not help.
    """
    tickets = islice(_boards(board), boards)
    away: deque[tuple[Ticket, Future[Played]]] = deque()
    while True:
        for ticket in islice(tickets, pool.workers * IN_FLIGHT - len(away)):
            away.append((ticket, pool.submit(play_match, ticket)))
        if not away:
            return
        yield _played(pool, *away.popleft())


def _played(pool: WorkerPool, ticket: Ticket, future: Future[Played]) -> Played:
    for _ in range(RETRIES):
        try:
            return future.result()
        except (MatchVoid, WorkerLost):
            future = pool.submit(play_match, ticket)
    return future.result()


def _boards(board: Ticket) -> Iterator[Ticket]:
    """The same table with other cards, which follow from the key: `duel/0001/t01/r<n>/a`."""
    for number in count(1):
        key = str(MatchKey("duel", 1, ("t01", f"r{number}", "a")))
        yield replace(board, pairing=replace(board.pairing, key=key, round=number))
