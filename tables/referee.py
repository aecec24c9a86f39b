"""The referee: it asks, checks, and plays on; it knows no game by name.

It is the one place where an answer becomes an action. A bot without a legal answer gets the
fallback action and a strike; after enough strikes it is no longer asked. Any other failure
is an exception and not the bot's fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from card_arena.common.errors import ArenaFailure
from card_arena.common.faults import Facts, Fault, FaultEvent
from card_arena.common.text import quoted
from card_arena.tables.encoding import asked_words
from card_arena.tables.game import (
    CHANCE,
    Game,
    IllegalAction,
    MalformedAnswer,
    Notice,
    Phase,
    Seat,
    Terminal,
)
from card_arena.tables.hints import hint_for
from card_arena.tables.legal_actions import Action, LegalActions
from card_arena.tables.record import Record, Turn


class Reply(Protocol):
    """A player's reply: a line, or the fault that prevented one.

    With a fault, `line` is the part of an answer that was received; `code` and `facts` are those of
    `FaultEvent`. `wall` and `cpu` are
    microseconds, `peak` bytes of memory; `stderr` is the end of the bot's standard error.
    """

    @property
    def line(self) -> str | None: ...  # noqa: D102
    @property
    def fault(self) -> str | None: ...  # noqa: D102
    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def facts(self) -> Facts: ...  # noqa: D102
    @property
    def stderr(self) -> str: ...  # noqa: D102
    @property
    def wall(self) -> int: ...  # noqa: D102
    @property
    def cpu(self) -> int: ...  # noqa: D102
    @property
    def peak(self) -> int: ...  # noqa: D102


class Player(Protocol):
    """Somebody in a seat."""

    def ask(self, words: Sequence[str], /) -> Reply:
        """Ask a question and wait for the reply."""
        ...

    def tell(self, line: str, /) -> None:
        """Send notices, which need no answer."""
        ...


class Dealer(Protocol):
    """Decides the order of packs."""

    def deal(self, choice: LegalActions, /) -> Action:
        """Choose the next order of a pack."""
        ...


@dataclass(frozen=True, slots=True)
class Strikes:
    """The number of faults in a game after which the fallback action plays on for a seat.

    Kinds of fault that are `forgiven` are recorded but count for nothing.
    """

    limit: int = 3
    forgiven: frozenset[str] = frozenset()


class Step(NamedTuple):
    """One turn of a game with the positions before and after it, and its notices.

    `stderr` is the end of the bot's standard error during play; it is only for its author, and in
    no record.
    """

    number: int
    turn: Turn
    before: Phase
    after: Phase | Terminal
    notices: tuple[Notice, ...]
    stderr: str = ""


NOT_ALLOWED = "not-allowed"
"""The code of an answer that is a word of the game, but none that is allowed now."""


class BadRecord(ArenaFailure):
    """A record contradicts its own turns: it was damaged, or the rules have changed."""


def play(
    game: Game,
    options: Any,
    players: Sequence[Player],
    dealer: Dealer,
    *,
    purses: Sequence[int] = (),
    shoe: Sequence[str] = (),
    prefixed: Collection[Seat] = (),
    strikes: Strikes = Strikes(),
    watch: Callable[[Step], None] | None = None,
) -> Record:
    """Play one game to its end and return its record.

    `purses` are what the seats bring along, `shoe` the cards left by the previous game at this
    table. `prefixed` are the seats that ask for the common prefix, where questions usually have
    none. `watch` is called with every step as it happens. An exception from a player or the dealer
    ends the game without a record: nobody at the table is at fault.
    """
    phase: Phase | Terminal = game.resume(options, len(players), purses, shoe)
    turns: list[Turn] = []
    struck = [0] * len(players)
    while not isinstance(phase, Terminal):
        seat, stderr = phase.to_act, ""
        if seat == CHANCE:
            action = dealer.deal(phase.legal_actions(seat))
            turn = Turn(seat, phase.write(action))
        elif struck[seat] >= strikes.limit:
            action = phase.legal_actions(seat).fallback_action
            turn = Turn(seat, phase.write(action))
        else:
            asked = asked_words(game, phase, seat, prefixed)
            action, turn, stderr = ask(phase, asked, players[seat], strikes)
            struck[seat] += turn.fault is not None and turn.fault.struck
        after, notices = phase.apply(action)
        for line in map(str, notices):
            for player in players:
                player.tell(line)
        if watch:
            watch(Step(len(turns), turn, phase, after, tuple(notices), stderr))
        turns.append(turn)
        phase = after
    return Record(
        game=game.name,
        version=game.version,
        options=_plain(options),
        seats=len(players),
        purses=tuple(purses),
        turns=tuple(turns),
        struck_out=tuple(s for s, count in enumerate(struck) if count >= strikes.limit),
        over=phase,
        shoe=tuple(shoe),
        prefixed=tuple(sorted(prefixed)) if game.prefixed else (),
    )


@lru_cache
def _plain(options: Any) -> Mapping[str, Any]:
    """Options as plain data, the same object for all records of a table."""
    plain: Mapping[str, Any] = options.model_dump(mode="json")
    return plain


def ask(
    phase: Phase, asked: Sequence[str], player: Player, strikes: Strikes
) -> tuple[Action, Turn, str]:
    """Ask the seat to act once; return the resulting action, the turn, and the bot's stderr."""
    seat = phase.to_act
    reply = player.ask(asked)
    question = " ".join(asked)
    legal = phase.legal_actions(seat)
    line = reply.line
    if reply.fault is None:
        assert line is not None, "a reply without a fault carries a line"
        action, fault = judged(phase, legal, line)
        if fault is None:
            written = phase.write(action)
            turn = Turn(seat, written, question, line, reply.wall, reply.cpu, reply.peak)
            return action, turn, reply.stderr
    else:
        fault = FaultEvent(Fault(reply.fault), reply.code, dict(reply.facts))
    fault = replace(fault, struck=fault.kind not in strikes.forgiven)
    action = legal.fallback_action
    written = phase.write(action)
    turn = Turn(seat, written, question, line, reply.wall, reply.cpu, reply.peak, fault)
    return action, turn, reply.stderr


def judged(phase: Phase, legal: LegalActions, line: str) -> tuple[Action, FaultEvent | None]:
    """Read a line: its action where that is legal, else the fault that it is."""
    try:
        action = phase.read(line)
    except MalformedAnswer as error:
        facts = {**error.facts, **hint_for(line, phase.read)}
        action, kind, code = None, Fault.MALFORMED, error.code
    else:
        if action in legal:
            return action, None
        facts, kind, code = {}, Fault.ILLEGAL, NOT_ALLOWED
    return action, FaultEvent(kind, code, {**facts, "allowed": legal.outline(phase.write)})


def replay(game: Game, record: Record) -> Iterator[Step]:
    """Replay a record step by step; raises `BadRecord` if it is inconsistent.

    Every question is computed again and must match the recorded words, and the answer must mean the
    action. Every action is read, checked and played again by the rules, and the end is compared
    with the stored scores.
    """
    if game.version != record.version:
        raise BadRecord(
            f"the record was played by version {record.version} of the rules of {game.name},"
            f" these are version {game.version}"
        )
    try:
        options = game.options(**record.options)
        phase: Phase | Terminal = game.resume(options, record.seats, record.purses, record.shoe)
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise BadRecord(f"the record's game can't begin: {reason}") from error
    if record.prefixed != tuple(s for s in range(record.seats) if s in record.prefixed) or (
        record.prefixed and not game.prefixed
    ):
        raise BadRecord(f"the record has a prefix for seats that can't have one: {record.prefixed}")
    last_strikes = record.last_strikes
    for number, turn in enumerate(record.turns):
        seat, written, question, answer, _, _, _, fault = turn
        if isinstance(phase, Terminal) or phase.to_act != seat:
            raise BadRecord(f"turn {number} of the record belongs to seat {seat}, out of turn")
        out = seat == CHANCE or (last_strikes and number > last_strikes.get(seat, number))
        asked = "" if out else " ".join(asked_words(game, phase, seat, record.prefixed))
        if question != asked:
            raise BadRecord(
                f"turn {number} of the record keeps the question {quoted(question)!r},"
                f" the rules ask {quoted(asked)!r}"
            )
        try:
            action = phase.read(written)
            after, notices = phase.apply(action)
        except (MalformedAnswer, IllegalAction) as error:
            raise BadRecord(f"turn {number} of the record can't be played: {error}") from error
        if phase.write(action) != written:
            raise BadRecord(
                f"turn {number} of the record writes the action {phase.write(action)!r} as"
                f" {quoted(written)!r}"
            )
        # most answers are the words of a legal action, and there is nothing to complain about
        plain = fault is None and question and answer == written
        if not (plain and action in phase.legal_actions(seat)):
            complaint = _complaint(phase, turn, action)
            if complaint:
                raise BadRecord(f"turn {number} of the record {complaint}")
        yield Step(number, turn, phase, after, tuple(notices))
        phase = after
    if phase != record.over:
        raise BadRecord(f"the record ends with {record.over}, its turns lead to {phase}")


def _complaint(phase: Phase, turn: Turn, action: Action) -> str:
    """Say how a turn's answer, verdict and action contradict each other; empty if all is well."""
    legal = phase.legal_actions(turn.seat)
    if turn.fault is None and turn.question:
        if action not in legal:
            return "was not allowed, and is no fault"
        if _meant(phase, turn.answer) != action:
            return f"plays {turn.action!r} where the answer was {quoted(turn.answer or '')!r}"
    if turn.fault is not None and turn.fault.kind is Fault.ILLEGAL:
        meant = _meant(phase, turn.answer)
        if meant is not None and meant in legal:
            return f"is a fault, but the answer {quoted(turn.answer or '')!r} was allowed"
    if (
        turn.seat != CHANCE
        and (turn.fault or not turn.question)
        and action != legal.fallback_action
    ):
        fallback = phase.write(legal.fallback_action)
        return f"plays {turn.action!r}, but {fallback!r} stands in for an answer"
    return ""


def _meant(phase: Phase, line: str | None) -> Action | None:
    """The action that a bot's line stands for, or None."""
    try:
        return None if line is None else phase.read(line)
    except MalformedAnswer:
        return None
