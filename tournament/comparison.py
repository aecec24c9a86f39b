"""Boards that are played one after another on all cores, and every bot's result on them.

Each board is a match of its own with other cards, and is played in every rotation. Boards come back
in the order of their numbers, however long one takes: quick boards first would favour bots that
make a board quick.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import secrets
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from card_arena.common.errors import UserError
from card_arena.common.json import read_json
from card_arena.formats.field import MatchKey
from card_arena.ratings.intervals import Estimate, mean, rate
from card_arena.ratings.match_results import (
    Played,
    luck_shares,
    margins,
    margins_of_luck,
    scorecard,
)
from card_arena.ratings.sequential import Margins, SequentialTest, Verdict, interval, unseen
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.luck import UNIT
from card_arena.tables.registry import game
from card_arena.tournament.exhibition import Guest
from card_arena.tournament.play.match import RETRIES, MatchVoid, Ticket, play_match
from card_arena.tournament.play.pool import WorkerLost, WorkerPool
from card_arena.tournament.settings import Settings

IN_FLIGHT = 2
"""Boards handed out for each worker, so that no worker waits for us."""


@dataclass(frozen=True, slots=True)
class FirstFault:
    """A bot's first fault on a board: its kind, a sentence about it, the question and the answer.

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
    """A bot's results on a board.

    `margin` is how far its score was above the mean of its opponents', over all games of the board.
    `won` is its share of the board: 1, 0, or a part where it is shared. `luck` is how
    much luckier it was than its opponents, in points; None where the game counts none. `faults`
    counts the answers that were rejected, and `forgiven` those of them that count for nothing;
    `slowest` is its longest answer in microseconds.
    """

    margin: Fraction
    won: Fraction
    faults: int
    forgiven: int
    slowest: int
    first_fault: FirstFault | None = None
    luck: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board with all its rotations: its number, its games, and the results by entrant."""

    number: int
    games: int
    showings: tuple[Showing, ...]


def board_of(played: Played, number: int, *, luck_helps: bool) -> Board:
    """The results of a board; the luck is counted where it helps at this table."""
    card = scorecard(played.records, played.seatings, played.sides)
    first_faults: dict[int, FirstFault] = {}
    for place, fault in card.faults:
        stderr = played.stderr[place.record][place.seat] if played.stderr else ""
        first_fault = FirstFault(
            *(number, str(fault.kind), fault.struck, fault_text(fault, place.answer)),
            *(place.question, place.answer, stderr),
        )
        first_faults.setdefault(place.entrant, first_fault)
    luck = margins_of_luck(card) if luck_helps else ()
    winners = {tally.side for tally in card.tallies if tally.rank == 1}
    showings = tuple(
        Showing(
            margin=Fraction(margin),
            won=Fraction(tally.side in winners, len(winners)),
            faults=tally.faults,
            forgiven=tally.forgiven,
            slowest=tally.slowest,
            first_fault=first_faults.get(entrant),
            luck=sum((board[entrant] for board in luck), Fraction()) if luck else None,
        )
        for entrant, (tally, margin) in enumerate(zip(card.tallies, margins(card), strict=True))
    )
    return Board(number, card.games, showings)


def play_boards(board: Ticket, pool: WorkerPool, boards: int, *, begin: int = 1) -> Iterator[Board]:
    """Play a match repeatedly with new cards, each board once; yield the boards in order.

    Boards are numbered from `begin` to `boards`; the same number and seed have the same cards. A
    board made void by a failure of the arena is played again, as in a season. Raises `MatchVoid`
    and `WorkerLost` if that does not help.
    """
    tickets = (_with_other_cards(board, number) for number in range(begin, boards + 1))
    away: deque[tuple[Ticket, Future[Played]]] = deque()
    while True:
        for ticket in islice(tickets, pool.workers * IN_FLIGHT - len(away)):
            away.append((ticket, pool.submit(play_match, ticket)))
        if not away:
            return
        ticket, future = away.popleft()
        played = _played(pool, ticket, future)
        luck_helps = ticket.settings.facts.luck_helps
        yield board_of(played, ticket.pairing.round, luck_helps=luck_helps)


def _played(pool: WorkerPool, ticket: Ticket, future: Future[Played]) -> Played:
    for _ in range(RETRIES):
        try:
            return future.result()
        except (MatchVoid, WorkerLost):
            future = pool.submit(play_match, ticket)
    return future.result()


def _with_other_cards(ticket: Ticket, number: int) -> Ticket:
    """Return the same table with the cards that follow from the key `duel/0001/t01/r<n>/a`."""
    key = str(MatchKey("duel", 1, ("t01", f"r{number}", "a")))
    return replace(ticket, pairing=replace(ticket.pairing, key=key, round=number))


# A duel: which bot is better, and how certain the boards played so far make that.
#
# Nothing is stored. The number of boards of a duel is fixed beforehand. The interval for that
# number is valid at its end only. Before that, and if somebody looks repeatedly, only the
# always-valid interval counts. A `Comparison` (below) plays until the boards tell.


POWER = 2.801585
"""The standard errors of a margin that 80 % of duels show: 1.959964 + .841621."""


@dataclass(frozen=True, slots=True)
class Form:
    """A bot's performance: its share of boards won, where a tie is shared, and its margin.

    The margin is how far its score in a game is above the mean of its opponents', with the interval
    for a number of boards that was fixed beforehand. `always` is the interval that may be looked
    at after every board; None where there are too few. `less_luck` is the margin without the luck
    with the cards, None where the game counts none. `faults` counts the answers that were rejected,
    and `forgiven` those of them that count for nothing; `slowest` is its longest
    answer in microseconds.
    """

    name: str
    won: Estimate
    margin: Estimate
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
        self._planned = planned
        self._names = tuple(names)
        self._boards: list[Board] = []
        self.margins = Margins()
        """The first bot's mean margins of the boards."""
        self.first_faults: dict[int, FirstFault] = {}
        """Every bot's first fault, by its place among the names."""

    @property
    def boards(self) -> int:
        return len(self._boards)

    def add(self, board: Board) -> None:
        self.margins = self.margins.add(board.showings[0].margin / board.games)
        for entrant, showing in enumerate(board.showings):
            if showing.first_fault:
                self.first_faults.setdefault(entrant, showing.first_fault)
        self._boards.append(_without_faults_of(board, range(len(board.showings))))

    def forms(self) -> tuple[Form, ...]:
        """Return each bot's performance; raises `ValueError` before the first board."""
        shares = luck_shares(
            [(float(one.margin), float(one.luck or 0)) for one in board.showings]
            for board in self._boards
        )
        return tuple(self._form(entrant, name, shares) for entrant, name in enumerate(self._names))

    def _form(self, entrant: int, name: str, shares: Sequence[int]) -> Form:
        """The performance of a bot; `shares` are the parts of luck to subtract on each board."""
        showings = [(board.showings[entrant], board.games) for board in self._boards]
        less_luck = [
            (float(one.margin - one.luck * share / UNIT), games)
            for (one, games), share in zip(showings, shares, strict=True)
            if one.luck is not None
        ]
        return Form(
            name=name,
            won=rate([(float(showing.won), 1) for showing, _ in showings]),
            margin=mean([(float(showing.margin), games) for showing, games in showings]),
            always=interval(Margins.of(showing.margin / games for showing, games in showings)),
            less_luck=mean(less_luck) if less_luck else None,
            faults=sum(showing.faults for showing, _ in showings),
            forgiven=sum(showing.forgiven for showing, _ in showings),
            slowest=max(showing.slowest for showing, _ in showings),
        )

    def verdict(self) -> str:
        """Say in a sentence what the boards show about the first bot.

        A duel that was ended early is judged by the always-valid interval.
        """
        form, *others = self.forms()
        them = others[0].name if len(others) == 1 else "the others"
        early = self.boards < self._planned
        margin, low, high = form.margin.value, form.margin.low, form.margin.high
        if low is None or high is None:
            few = "one board is" if self.boards == 1 else f"{self.boards} boards are"
            return f"{few} too few to tell"
        if low == high:
            shown = f"every board gave the same margin of {points(margin)} a game"
            return (
                shown if margin else f"no board made any difference between {form.name} and {them}"
            )
        if early:
            if form.always is None:
                return f"{self.boards} boards are too few to tell"
            low, high = form.always
        sure = "95 %, at any time" if early else "95 %"
        if low <= 0 <= high:
            return (
                f"too close to tell: the margin of {form.name} over {them} is between"
                f" {points(low)} and {points(high)} a game ({sure})"
            )
        word, verb = ("better", "leads") if margin > 0 else ("worse", "is behind")
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
            f"the interval that holds at any time is wider: {points(low)} to"
            f" {points(high)} a game (95 %, at any time)"
        )

    def power(self) -> str | None:
        """Say what margin a duel of this length shows in 80 % of cases; None if it was ended early.

        It does not depend on the margin that was seen, so it invites nobody to play on until a
        difference shows. It is also None if no two boards differed.
        """
        deviation = self.margins.deviation
        if self.boards < max(2, self._planned) or not deviation:
            return None
        margin = POWER * deviation / math.sqrt(self.boards - 1)
        return (
            f"{self.boards} boards detect a true margin of {points(margin).lstrip('+')} a game in"
            " 80 % of cases; without --boards they are played until the difference is clear"
        )


def caution(margins: Margins) -> str | None:
    """Say what an always-valid interval can't include; None if there is no interval."""
    if interval(margins) is None:
        return None
    return (
        f"what comes once in {unseen(margins):,} boards or more seldom, such as a rare disaster,"
        " may not have come yet: the interval that holds at any time doesn't count it"
    )


def points(value: float) -> str:
    """A mean of points with its sign, to three digits or to the whole point."""
    return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3g}"


# Is a new bot better than an old one? Boards are played until a sequential test can tell.
#
# One number a board is judged: the mean margin of the new bot over all turns of the seats. The new
# bot holds one seat, or one side, and copies of the old one hold all others, so for identical
# bots the expected margin is 0 at any table. Boards are judged in the order of their numbers, so
# the verdict does not depend on the number of workers.


WORDS = {
    "gain": {"above": "better", "below": "not better"},
    "no-worse": {"above": "no worse", "below": "worse"},
}
"""The names of a test's verdicts; a test with bounds of its own is one for a gain."""


UNPLAYED = {"name", "workers", "format", "entrants", "schedule", "sanity_check", "require"}
"""Settings that decide nothing about a board."""


class Comparison:
    """The boards of a comparison, in the order of their numbers, and its verdict.

    `names` are those of the entrants, the new bot's first; `kind` says what the test asks.
    """

    def __init__(self, names: Sequence[str], test: SequentialTest, kind: str = "gain") -> None:
        self.test = test
        self.verdict: Verdict | None = None
        self.shown = Duel(names, test.cap)
        """Every entrant's performance and first fault."""
        self._new, self._old = names[0], names[1]
        self._words = WORDS.get(kind, WORDS["gain"])

    @property
    def margins(self) -> Margins:
        """The new bot's mean margins of the boards."""
        return self.shown.margins

    def add(self, board: Board) -> None:
        """Count a board; raises `ValueError` if it is not the next one."""
        if board.number != self.margins.boards + 1:
            raise ValueError(f"board {board.number} does not follow board {self.margins.boards}")
        self.shown.add(board)
        self.verdict = self.test.verdict(self.margins)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The always-valid interval of the margin in points a game; None below 30 boards."""
        return interval(self.margins)

    @property
    def outcome(self) -> str | None:
        """The verdict in a word or two, such as "not better"; None while it is open."""
        return self._words.get(self.verdict, "undecided") if self.verdict else None

    def sentence(self) -> str:
        """Say what the boards show so far, with the margin and its always-valid interval."""
        boards = f"{self.margins.boards:,} board{'' if self.margins.boards == 1 else 's'}"
        if self.verdict is None:
            return f"open after {boards}: {self.estimate()}"
        if self.verdict == "undecided":
            return (
                f"undecided after {boards}: {self._new} may be {self._words['above']} than"
                f" {self._old} or not; {self.estimate()}"
            )
        sentence = (
            f"after {boards} {self._new} is {self._words[self.verdict]} than {self._old}:"
            f" {self.estimate()}"
        )
        if self.outcome == "not better" and self.margins.deviation:
            least = points(self.test.high * self.margins.deviation)
            sentence += (
                f"; a true margin of {least} a game would have been found in 95 % of comparisons"
            )
        return sentence

    def estimate(self) -> str:
        """Return the mean margin, with its interval if there are enough boards."""
        between = self.interval
        if between and between[0] == between[1]:
            return f"every board gave the same margin of {points(self.margins.mean)} a game"
        margin = f"its margin is {points(self.margins.mean)} a game"
        if between is None:
            return margin
        low, high = map(points, between)
        return f"{margin}, between {low} and {high} (95 %, at any time)"


def question(
    table: Settings[Any], entrants: Sequence[Guest], test: SequentialTest
) -> Mapping[str, Any]:
    """Return what a comparison asks; two with equal questions and seeds play the same boards.

    It is plain data: the table, the rules' version, the bots by digest, and the test without its
    cap, since a comparison may be resumed with a higher one.
    """
    return {
        "game": table.game,
        "rules": game(table.game).version,
        "table": table.model_dump(mode="json", exclude=UNPLAYED),
        "entrants": [{"name": guest.name, "digest": guest.bundle.digest} for guest in entrants],
        "effects": [test.low, test.high],
        "begin": test.begin,
    }


# The file in which a comparison is kept, so that it can be killed and resumed with the same boards.
#
# It is text, a line of JSON each: first the question and the seed of the cards, then every board
# in order. A board is written when it has been judged; a line that was being written when the
# machine stopped is dropped, and its board is played again with the same cards.


FORMAT = 1
"""The version of the file's format."""

_BOARDS = TypeAdapter(Board)


class BadComparisonFile(UserError):
    """A kept comparison can't be read or is in use; the message says where and what to do."""


class ComparisonFile:
    """An open file of a comparison. `seed` is that of the cards, `boards` those played before."""

    def __init__(self, path: Path, file: BinaryIO, seed: bytes, boards: list[Board]) -> None:
        self.path = path
        self.seed = seed
        self.boards = boards
        self._file = file
        self._faulty = set[int]().union(*map(_faulty, boards))

    def keep(self, board: Board) -> None:
        """Add a board. Of each entrant only the first fault of all is kept in full."""
        board = _without_faults_of(board, self._faulty)
        self._faulty |= _faulty(board)
        self._file.write(_line(_BOARDS.dump_python(board, mode="json", exclude_none=True)))
        self._file.flush()


def _faulty(board: Board) -> set[int]:
    return {entrant for entrant, showing in enumerate(board.showings) if showing.first_fault}


def _without_faults_of(board: Board, entrants: Collection[int]) -> Board:
    """Return a board without the first faults of these entrants."""
    showings = tuple(
        replace(showing, first_fault=None) if entrant in entrants else showing
        for entrant, showing in enumerate(board.showings)
    )
    return replace(board, showings=showings)


@contextmanager
def open_comparison(
    folder: Path, question: Mapping[str, Any], seed: bytes | None
) -> Iterator[ComparisonFile]:
    """Open the file of a question and lock it until the block ends.

    Without a seed, the latest comparison with this question is resumed, or else one with a new seed
    begins. Raises `BadComparisonFile`.
    """
    path, seed = _file_of(folder, question, seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", opener=_private)  # noqa: SIM115 - a path's own has no opener
    except OSError as error:
        raise BadComparisonFile(f"{path} can't be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadComparisonFile(
                f"this comparison is being played by another process: {path} is in use"
            ) from None
        header, boards = _read(path, file)
        if header is None:
            file.write(_line({"comparison": FORMAT, "seed": seed.hex(), "question": question}))
            file.flush()
        elif header.get("comparison") != FORMAT or header.get("seed") != seed.hex():
            raise BadComparisonFile(
                f"{path}, line 1: expected a comparison of format {FORMAT} with the seed"
                f" {seed.hex()}; remove the file to begin again"
            )
        yield ComparisonFile(path, file, seed, boards)


def _private(path: str, flags: int) -> int:
    """Open a file that others on this machine can't read: it holds bots' standard error."""
    return os.open(path, flags, 0o600)


def _file_of(folder: Path, question: Mapping[str, Any], seed: bytes | None) -> tuple[Path, bytes]:
    """Return the path of a question's file, which need not exist, and its seed."""
    text = json.dumps(question, sort_keys=True)
    stem = f"{question['game']}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    if seed is None:
        files = [path for path in folder.glob(f"{stem}-*.jsonl") if path.stat().st_size]
        for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
            with path.open("rb") as file, suppress(ValueError):
                return path, _seed(path, _parsed(file.readline()))
        seed = secrets.token_bytes(32)
    return folder / f"{stem}-{hashlib.sha256(seed).hexdigest()[:16]}.jsonl", seed


def _seed(path: Path, header: dict[str, Any]) -> bytes:
    try:
        return bytes.fromhex(header["seed"])
    except (KeyError, TypeError, ValueError):
        raise BadComparisonFile(
            f"{path}, line 1: expected a seed; remove the file to begin again"
        ) from None


def _read(path: Path, file: BinaryIO) -> tuple[dict[str, Any] | None, list[Board]]:
    """Read a file's header and boards, and drop a last line that was cut off."""
    file.seek(0)
    header: dict[str, Any] | None = None
    boards: list[Board] = []
    whole = 0
    lines = file.readlines()
    for number, line in enumerate(lines, start=1):
        try:
            data = _parsed(line)
            if header is None:
                header = data
            else:
                board = _BOARDS.validate_python(data)
                if board.number != number - 1 or board.games < 1:
                    raise ValueError
                boards.append(board)
        except (ArithmeticError, ValueError):
            if number == len(lines):
                break  # the machine stopped while it was being written
            raise BadComparisonFile(
                f"{path}, line {number}: expected board {number - 1}; the file was changed or is"
                " damaged, remove it to begin again"
            ) from None
        whole += len(line)
    file.truncate(whole)
    return header, boards


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the object of a line; raises `ValueError` if the line is incomplete."""
    data = read_json(line) if line.endswith(b"\n") else None
    if not isinstance(data, dict):
        raise ValueError
    return data


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"
