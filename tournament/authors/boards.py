"""Boards that are played one after another on all cores, and what became of each bot on them.

Each board is a match of its own with other cards, and is played in every turn of the seats. Boards
come back in the order of their numbers, however long each of them took: quick boards first would
favour whatever makes a board quick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, islice

from leaderboard.match_key import MatchKey
from leaderboard.results import Played, leads, scorecard
from leaderboard.statistics.luck import leads_on_boards
from tables.registry import GAMES
from tables.seating import boards as numbered
from tournament.play.lanes import WorkerLost
from tournament.play.match import RETRIES, MatchVoid, Ticket, play_match
from tournament.play.worker_pool import WorkerPool

IN_FLIGHT = 2
"""Boards handed out for each worker, so that no worker waits for us."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A bot's first fault on a board: its kind, what happened, and what was asked and answered.

    `struck` says whether it counts or is forgiven. `stderr` is the end of what the bot wrote to
    standard error in that game.
    """

    board: int
    kind: str
    struck: bool
    detail: str
    question: str
    answer: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Showing:
    """What a bot did on a board.

    `lead` is how far its score was above the mean of its opponents', over all games of the board.
    `won` is its share of the board: 1, 0, or a part where it is shared. `less_luck` is the lead
    without the luck with the cards; None where the game counts none. `faults` counts the answers
    that were rejected, and `forgiven` those of them that count for nothing; `slowest` is its
    longest answer in microseconds.
    """

    lead: Fraction
    won: Fraction
    faults: int
    forgiven: int
    slowest: int
    slip: Slip | None = None
    less_luck: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board with all its turns: its number, its games, and every bot's showing by chair."""

    number: int
    games: int
    showings: tuple[Showing, ...]


def board_of(played: Played, number: int) -> Board:
    card = scorecard(played.records, played.seatings, played.sides)
    tallies = card.tallies
    slips: dict[int, Slip] = {}
    for place, fault in card.faults:
        wrote = played.stderr[place.record][place.seat] if played.stderr else ""
        slips.setdefault(
            place.entrant,
            Slip(
                number,
                str(fault.kind),
                fault.struck,
                fault.detail,
                place.question,
                place.answer,
                wrote,
            ),
        )
    match_leads = leads(card)
    less_luck = leads_on_boards(card) if _luck_helps(played) else ()
    first = {tally.side for tally in tallies if tally.rank == 0}
    return Board(
        number,
        card.games,
        tuple(
            Showing(
                lead=Fraction(lead),
                won=Fraction(tally.side in first, len(first)),
                faults=tally.faults,
                forgiven=tally.forgiven,
                slowest=tally.slowest,
                slip=slips.get(entrant),
                less_luck=sum((each[entrant] for each in less_luck), Fraction())
                if less_luck
                else None,
            )
            for entrant, (tally, lead) in enumerate(zip(tallies, match_leads, strict=True))
        ),
    )


def _luck_helps(played: Played) -> bool:
    """Whether leads less luck are surer at such a table."""
    record, seatings = played.records[0], played.seatings
    duplicate = len(seatings) > len({*numbered(seatings)})
    game = GAMES.get(record.game)
    return game is not None and game.luck_helps(record.seats, duplicate=duplicate)


def play_boards(board: Ticket, pool: WorkerPool, boards: int, *, begin: int = 1) -> Iterator[Board]:
    """Play a match repeatedly with new cards, each board once; yield the boards in order.

    Boards are numbered from `begin` to `boards`; the same number and seed have the same cards. A
    board made void by a failure of the arena is played again, as in a season. Raises `MatchVoid`
    and `WorkerLost` if that does not help.
    """
    tickets = islice(_tickets(board), begin - 1, boards)
    away: deque[tuple[Ticket, Future[Played]]] = deque()
    while True:
        for ticket in islice(tickets, pool.workers * IN_FLIGHT - len(away)):
            away.append((ticket, pool.submit(play_match, ticket)))
        if not away:
            return
        ticket, future = away.popleft()
        yield board_of(_played(pool, ticket, future), ticket.pairing.round)


def _played(pool: WorkerPool, ticket: Ticket, future: Future[Played]) -> Played:
    for _ in range(RETRIES):
        try:
            return future.result()
        except (MatchVoid, WorkerLost):
            future = pool.submit(play_match, ticket)
    return future.result()


def _tickets(board: Ticket) -> Iterator[Ticket]:
    """The same table with other cards, which follow from the key: `duel/0001/t01/r<n>/a`."""
    for number in count(1):
        key = str(MatchKey("duel", 1, ("t01", f"r{number}", "a")))
        yield replace(board, pairing=replace(board.pairing, key=key, round=number))
