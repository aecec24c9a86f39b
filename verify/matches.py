"""Check the games of a match: the conduct of its bots, and every pack and action."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from card_arena.common.fault_texts import CAUSES
from card_arena.common.faults import (
    ADDED,
    CODES,
    NOT_ASKED,
    Facts,
    Fault,
    FaultEvent,
    time_facts,
)
from card_arena.common.json import canonical
from card_arena.common.text import quoted
from card_arena.ratings.match_results import Game as Played
from card_arena.sandbox.limits import OVERRUNS
from card_arena.sandbox.seat import SPARE, SPARE_EACH
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox
from card_arena.tables.dealing import Packs
from card_arena.tables.game import CHANCE
from card_arena.tables.legal_actions import Order
from card_arena.tables.luck import Luck, luck_of
from card_arena.tables.record import Record, Turn
from card_arena.tables.referee import BadRecord, Step, Strikes, judged, replay
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import boards
from card_arena.tournament.settings import Settings


def listed(numbers: Sequence[object]) -> str:
    """Name some numbers, or say that there are none."""
    return ", ".join(map(str, numbers)) or "nothing"


# Checking how answers came about: the clock, what a bot may use, and what each fault can be.
#
# Nobody can see from outside what a bot did inside its sandbox. What is checked is that a record
# agrees with itself and with the season's settings, as `sandbox/seat.py` and the referee apply
# them. Times are microseconds.


TRUSTED = (
    "how long answers took and how much they computed, as far as the limits allow it; how much"
    " memory was used",
    "that a program failed as its faults say: it gave no answer, or none in time, crashed, wrote"
    " too much or used too much memory; the likely cause and refused system calls named with that",
    "which of several lines with the same effect a program wrote",
    "that the answers are those of the listed programs, and what they wrote on standard error",
    "the times of the ledger",
)
"""What rests on the organiser's word alone where nothing is wrong; docs/verifying.md has it too."""

_LEAST = 2
"""Microseconds that a deadline may seem to be early, by rounding."""


@dataclass(slots=True)
class _Seat:
    """A seat's clock: what is left of its bank; whether its next answer may have the time of a
    start; how many of its answers were late, at least and at most; how often it was asked; and the
    fault after which it is asked no more.
    """

    left: int | None
    cold: bool = True
    least: int = 0
    most: int = 0
    asked: int = 0
    ended: FaultEvent | None = None


class Conduct:
    """Follows the answers of a game; it is called with every step, and says what can't be."""

    def __init__(self, settings: Settings[Any]) -> None:
        clock = settings.clock.clock()
        self._limits = clock.stretched(settings.limits.limits())
        self._bank = clock.bank
        limits = self._limits
        self._facts: Mapping[str, Facts] = {
            "processor-time": time_facts(limits.cpu),
            "long-line": {"bytes": limits.line},
            "unasked-output": {"bytes": limits.output},
            "output": {"bytes": limits.output},
            "memory": {"bytes": limits.memory},
            "not-stopped": time_facts(StartedSandbox.grace),
        }
        self._overrun = _microseconds(clock.overrun)
        self._spans = {_microseconds(clock.question)}
        self._first = {*self._spans, _microseconds(clock.start)}
        self._strikes = settings.strikes.strikes()
        bank = None if clock.bank is None else _microseconds(clock.bank)
        self._seats: defaultdict[int, _Seat] = defaultdict(lambda: _Seat(bank))

    def __call__(self, step: Step) -> Iterator[str]:
        """Say what is wrong with a turn: nothing where all is well."""
        turn = step.turn
        if not turn.question:
            if turn.answer is not None or turn.fault or turn.wall or turn.cpu or turn.peak:
                yield "asks nobody, but has an answer, a fault or times"
            return
        its, fault = self._seats[turn.seat], turn.fault
        for name in ("wall", "cpu", "peak"):
            if getattr(turn, name) < 0:
                yield f"has a negative {name}: {getattr(turn, name)}"
        if fault is not None:
            yield from _of_strike(fault, self._strikes)
        left = None if its.left is None else its.left // 1000 * 1000
        spans = self._first if its.cold else self._spans
        spans = spans if left is None else {min(span, left) for span in spans}
        used_up = left is not None and left <= 0
        if its.ended or used_up or (fault is not None and fault.code in NOT_ASKED):
            if not self._may_be_unasked(turn, its, used_up=used_up):
                yield f"contradicts the time that its seat has left: {_fault_text(fault)}"
            return
        its.asked += 1
        its.left = None if its.left is None else its.left - turn.wall
        mistake = _by_rules(step)
        if mistake is not None:
            yield from mistake
        late = fault if fault is not None and fault.code == "late" else None
        if fault is None or mistake is not None:
            yield from self._of_time(turn, its, spans)
        elif late:
            if not self._is_late(turn, its, spans, late):
                yield f"can't be late so: it took {turn.wall} us, {_fault_text(late)}"
                return
            its.least = its.most = late.facts["times"]
        elif not self._can_be(turn, fault, its, {span + self._overrun for span in spans}):
            yield f"can't be a fault of this kind: {_fault_text(fault)}"
        own = fault is not None and mistake is None and not late
        answered = not own or (fault is not None and fault.code == "no-line")
        if answered and turn.cpu > self._limits.cpu * 1e6:
            yield f"took {turn.cpu} us of processor time, and is no timeout"
        its.cold = own

    def _may_be_unasked(self, turn: Turn, its: _Seat, *, used_up: bool) -> bool:
        """Whether a bot may not have been asked, and whether nothing else is told of it."""
        fault = turn.fault
        if fault is None or fault.kind is not Fault.TIMEOUT:
            return False
        if turn.answer is not None or turn.wall or turn.cpu or turn.peak:
            return False
        if {*fault.facts} & {*ADDED}:
            return False
        if used_up or fault.code == "bank":
            return used_up and fault.code == "bank" and _is(fault, time_facts(self._bank or 0))
        spare = _microseconds(SPARE + SPARE_EACH * its.asked)
        first, its.ended = its.ended or fault, fault
        return (
            fault.code == "sandbox-time" and fault == first and fault.facts["microseconds"] >= spare
        )

    def _of_time(self, turn: Turn, its: _Seat, spans: set[int]) -> Iterator[str]:
        """An answer that was taken was in time, or a little late and not too often."""
        if turn.wall > max(spans) + self._overrun:
            yield f"took {turn.wall} us, and is no timeout"
        its.least += turn.wall > max(spans)
        its.most += turn.wall > min(spans)
        if its.least > OVERRUNS:
            yield f"took {turn.wall} us, and is late too often to be no timeout"

    def _is_late(self, turn: Turn, its: _Seat, spans: set[int], late: FaultEvent) -> bool:
        """Whether an answer was late as its fault says; the process lives on."""
        numbers = range(max(OVERRUNS, its.least) + 1, its.most + 2)
        return (
            late.kind is Fault.TIMEOUT
            and turn.answer is not None
            and any(
                0 < turn.wall - span <= self._overrun
                and _is(late, {"over": turn.wall - span, "microseconds": span, "times": number})
                for span in spans
                for number in numbers
            )
        )

    def _can_be(self, turn: Turn, fault: FaultEvent, its: _Seat, spans: set[int]) -> bool:
        """Whether a program can have failed so; `spans` are the times that it may have had."""
        limits, answer, code = self._limits, turn.answer, fault.code
        if code not in CODES:
            return False
        if code in self._facts and not _is(fault, self._facts[code]):
            return False
        if fault.facts.get("cause", "busy") not in CAUSES:
            return False
        if fault.facts.get("computed", turn.cpu) != turn.cpu:
            return False
        match code:
            case "processor-time":
                return turn.cpu >= int(limits.cpu * 1e6) - _LEAST
            case "not-stopped":
                walls = {0, *spans, *(span - 1 for span in spans)}
                unmeasured = answer is None and turn.cpu == turn.peak == 0
                return unmeasured and turn.wall in walls
            case "no-answer" | "no-line-end" | "not-ended":
                return (answer is None) == (code == "no-answer") and _passed(turn, spans, fault)
            case "no-sandbox":
                nothing = answer is None and turn.wall == turn.cpu == turn.peak == 0
                bots, matches = fault.facts["bots"], fault.facts["matches"]
                added = {*fault.facts} & {*ADDED}
                return nothing and not added and (bots > 0) == (matches > 0)
            case "no-line":
                return answer is None
            case "unasked-line" | "unasked-output":
                return answer is not None and turn.wall == 0 and not its.cold
            case "long-line":
                return answer is not None and _size(answer) >= limits.line - 1
        return True


def _is(fault: FaultEvent, facts: Facts) -> bool:
    """Whether these are a fault's facts, apart from those that were added; 1 is not true."""
    own = {name: value for name, value in fault.facts.items() if name not in ADDED}
    return canonical(own) == canonical(facts)


def _by_rules(step: Step) -> Sequence[str] | None:
    """What is wrong with a fault by the rules of the game; None if the program itself failed."""
    turn, fault = step.turn, step.turn.fault
    if fault is None or fault.kind not in (Fault.ILLEGAL, Fault.MALFORMED):
        return None
    if fault.code in CODES:
        return None
    found = None
    if turn.answer is not None:
        legal = step.before.legal_actions(turn.seat)
        _, found = judged(step.before, legal, turn.answer)
    if found is None or found.kind is not fault.kind:
        answer = "no answer" if turn.answer is None else repr(quoted(turn.answer))
        verdict = found.kind if found else "no such fault"
        return [f"is recorded as {fault.kind}, but {answer} is {verdict}"]
    if (found.code, canonical(found.facts)) != (fault.code, canonical(fault.facts)):
        return [f"explains its fault as {_fault_text(fault)}, the rules as {_fault_text(found)}"]
    return ()


def _of_strike(fault: FaultEvent, strikes: Strikes) -> Iterator[str]:
    if fault.struck == (fault.kind in strikes.forgiven):
        yield (
            f"whether the fault {fault.kind!r} is a strike is recorded as {fault.struck}, but the"
            " season's settings say otherwise"
        )


def _passed(turn: Turn, spans: set[int], fault: FaultEvent) -> bool:
    """Whether a fault's deadline could be there, and had passed."""
    return any(_is(fault, {"microseconds": span}) and turn.wall >= span - _LEAST for span in spans)


def _fault_text(fault: FaultEvent | None) -> str:
    if fault is None:
        return "no fault"
    return f"{fault.kind}, {quoted(f'{fault.code} {canonical(fault.facts)}')}"


def _size(answer: str) -> int:
    return len(answer.encode("utf-8", "surrogatepass"))


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000)


# Checking the games of a match: every pack, every action and every strike, from the key.
#
# Everything follows from the records and the key by published rules, so it is worked out again.


class Replay:
    """Replays the games of a match by the rules, with the packs that the key gives, if it is known.

    It is called with the games and gives the luck in each, as `scorecard` wants it: the games need
    not be played through twice. `turns` and `packs` count what was played again, `other_packs` the
    packs that the key gives otherwise. The `options` are those that the season was begun with.
    """

    def __init__(
        self,
        key: str,
        settings: Settings[Any],
        options: Mapping[str, Any],
        deals: bytes | None,
    ) -> None:
        self.turns = self.packs = self.other_packs = 0
        self.differences: list[str] = []
        self._key = key
        self._settings = settings
        self._named = {*options}
        self._options = canonical(settings.options.model_dump(mode="json"))
        self._deals = deals

    def __call__(self, games: Sequence[Played]) -> Sequence[Luck | None]:
        """Replay all games."""
        numbers = boards([seating for _, seating in games])
        self._of_sandboxes(games)
        return [
            self._replayed(f"{self._key}, game {number + 1}", record, board)
            for number, ((record, _), board) in enumerate(zip(games, numbers, strict=True))
        ]

    def _of_sandboxes(self, games: Sequence[Played]) -> None:
        """Who gets no sandbox gets none in the whole match, for one reason."""
        outcomes = defaultdict(set)
        for record, seating in games:
            for turn in record.turns:
                if turn.question and turn.seat in range(len(seating)):
                    fault = turn.fault
                    refused = fault is not None and fault.code == "no-sandbox"
                    facts = canonical(fault.facts) if fault and refused else ""
                    outcomes[seating[turn.seat]].add(facts)
        for entrant, refusals in outcomes.items():
            if len(refusals) > 1:
                self.differences.append(
                    f"{self._key}: entrant {entrant} has a sandbox in a part of the match, or"
                    " none for several reasons"
                )

    def _replayed(self, where: str, record: Record, board: int) -> Luck | None:
        if record.game not in GAMES:
            self.differences.append(f"{where}: there is no game {record.game!r}")
            return luck_of(record)
        whole = canonical(_whole(record))
        if (record.game, whole) != (self._settings.game, self._options) or self._named - {
            *record.options
        }:
            self.differences.append(
                f"{where}: it was played as {record.game} with other options than the season's"
            )
        packs = None if self._deals is None else Packs(self._deals, self._key, board)
        try:
            luck = self._played_through(where, record, packs)
        except BadRecord as error:
            self.differences.append(f"{where}: {error}")
            return luck_of(record)
        self.differences += _of_struck_out(where, record, self._settings.strikes.limit)
        return luck

    def _played_through(self, where: str, record: Record, packs: Packs | None) -> Luck | None:
        game = GAMES[record.game]
        luck = game.statistics.luck
        total = [0] * record.seats
        conduct = Conduct(self._settings)
        for step in replay(game, record):
            self.turns += 1
            if luck is not None:
                for seat, gained in enumerate(luck(step.before, step.after)):
                    total[seat] += gained
            for wrong in conduct(step):
                self.differences.append(f"{where}, turn {step.number} {wrong}")
            if packs is not None and step.turn.seat == CHANCE:
                self._of_pack(where, step, packs)
        return None if luck is None else tuple(total)

    def _of_pack(self, where: str, step: Step, packs: Packs) -> None:
        choice = step.before.legal_actions(CHANCE)
        self.packs += isinstance(choice, Order)
        dealt = step.before.write(packs.deal(choice))
        if dealt != step.turn.action:
            self.other_packs += isinstance(choice, Order)
            self.differences.append(
                f"{where}, turn {step.number}: the dealer played {step.turn.action},"
                f" but the seed gives {dealt}"
            )


def _whole(record: Record) -> Mapping[str, Any]:
    """A record's options, with defaults for those that its game has gained since."""
    return {**GAMES[record.game].options().model_dump(mode="json"), **record.options}


def _of_struck_out(where: str, record: Record, limit: int) -> Iterator[str]:
    """Count a game's strikes again: who was struck out."""
    struck = Counter(seat for _, seat, fault in record.faults if fault.struck)
    out = tuple(seat for seat in range(record.seats) if struck[seat] >= limit)
    if out != record.struck_out:
        yield (
            f"{where}: seats struck out are recorded as {listed(record.struck_out)},"
            f" but {limit} strikes give {listed(out)}"
        )
