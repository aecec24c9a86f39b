"""Marks for decisions: the points and the chance of the match that each one cost, and the luck.

A reviewer has told several times, from different samples, which score it expects of every answer.
The loss of a decision is what its best answer is worth above the one that was played. The formulas
are in docs/reviews.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from statistics import NormalDist
from typing import NamedTuple

from card_arena.coach.decisions import (
    Deal,
    Decision,
    deals,
    fair,
    gain,
    is_constant_sum,
    two_sides,
)
from card_arena.ratings.intervals import Estimate, exact, mean
from card_arena.tables.game import Seat
from card_arena.tables.record import Record

FORMAT = 1
"""Raised whenever the same questions are to be evaluated again."""

SAMPLES = 6
"""How often each question is evaluated at first."""

MORE_SAMPLES = 12
"""How often once more, if the loss seems to be above 0; then only these count."""

Scores = Sequence[Mapping[str, float]]
"""What a reviewer expects of each answer, once for each sample."""


NOTHING = exact(0.0)

Place = tuple[int, int]
"""A decision of a match: the number of its game, from 0, and of its turn."""


class Evaluation(NamedTuple):
    """What a reviewer said of a decision, and why an answer cost points, where one did.

    There are no scores where it did not consider the answer that was played.
    """

    scores: Scores
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a decision cost.

    `worth` is what the reviewer expected of its `best` answer, in points of the deal above what is
    fair; `loss` is what the played one is expected to bring less, and `chance` how much smaller it
    made the chance to win the match, None where margins don't scatter. `luck` is how much better
    for this seat than expected the cards turned out until its next decision, or the end of the
    deal. All have 95 % intervals. It is `flagged` if the interval of the loss lies above 0.
    """

    decision: Decision
    best: str
    worth: Estimate
    loss: Estimate
    reason: str = ""
    chance: Estimate | None = None
    luck: Estimate = NOTHING

    @property
    def flagged(self) -> bool:
        """Whether the loss is above 0 for sure."""
        return self.loss.low is not None and self.loss.low > 0


@dataclass(frozen=True)
class ReviewedDeal:
    """The marks of a deal of one game, in the order of play.

    Those of `waiting` decisions are still to come; until then no luck is known. `deal_luck` is the
    luck of each seat before its first decision, and `gains` what each seat won.
    """

    game: int
    number: int
    marks: tuple[Mark, ...]
    waiting: int
    gains: tuple[int, ...]
    deal_luck: tuple[Estimate, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a bot's deals: its points are `luck` plus `others` less its `losses`.

    `points` are what it won above what is fair, at a table of two sides above the other one.
    `losses` are what its decisions lost, `by_part` of the games too, and `others` what those of
    other bots brought it, as far as that is known.
    """

    points: float
    losses: Estimate
    others: Estimate
    luck: Estimate
    by_part: Mapping[str, Estimate] = field(default_factory=dict)


def key_of(digest: str, decision: Decision) -> str:
    """The key of an evaluation, by a reviewer whose files have this hash."""
    content = (FORMAT, digest, SAMPLES, MORE_SAMPLES, decision.words, decision.played)
    return sha256(json.dumps(content).encode()).hexdigest()


def comparable(scores: Scores, played: str) -> Scores:
    """The scores of the answers that are in every sample; none if the played one isn't there."""
    common = set[str].intersection(*(set(one) for one in scores))
    if played not in common or len(common) < 2:
        return ()
    return [{answer: one[answer] for answer in one if answer in common} for one in scores]


def needs_more(scores: Scores, played: str) -> bool:
    """Whether a question is to be evaluated `MORE_SAMPLES` times more."""
    loss = _loss(scores, played)[1]
    return loss.low is not None and loss.low > 0


def _loss(scores: Scores, played: str) -> tuple[str, Estimate]:
    """The best answer and the loss of the one that was played.

    In each sample it is compared with the answer that is best in all others: the best of several
    uncertain values would seem better than it is.
    """
    totals = {answer: math.fsum(one[answer] for one in scores) for answer in scores[0]}
    differences = []
    for one in scores:
        others = {answer: totals[answer] - one[answer] for answer in totals}
        differences.append((one[_highest(others, played)] - one[played], 1))
    return _highest(totals, played), mean(differences)


def _highest(worths: Mapping[str, float], played: str) -> str:
    """The answer that is worth most, of equals the played one."""
    return max(worths, key=lambda answer: (worths[answer], answer == played))


def mark(decision: Decision, evaluation: Evaluation) -> Mark:
    """The mark of a decision, without its chance and luck."""
    scores = evaluation.scores
    best, loss = _loss(scores[:SAMPLES], decision.played)
    counted = scores[:SAMPLES]
    if fresh := scores[SAMPLES:]:
        loss = mean([(one[best] - one[decision.played], 1) for one in fresh])
        counted = fresh
    worth = mean([(one[best], 1) for one in counted])
    return Mark(decision, best, worth, loss, evaluation.reason)


def total(estimates: Iterable[Estimate]) -> Estimate:
    """The sum of independent figures, with its interval."""
    value, square = 0.0, 0.0
    for one in estimates:
        value += one.value
        square += _half(one) ** 2
    return Estimate(value, value - math.sqrt(square), value + math.sqrt(square), None)


def _half(estimate: Estimate) -> float:
    if estimate.low is None or estimate.high is None:
        return 0.0
    return (estimate.high - estimate.low) / 2


def _minus(estimate: Estimate) -> Estimate:
    low, high = estimate.low, estimate.high
    return Estimate(
        -estimate.value, None if high is None else -high, None if low is None else -low, None
    )


def reviewed(
    records: Sequence[Record],
    seatings: Sequence[Sequence[int]],
    evaluations: Mapping[Place, Evaluation],
    *,
    prefix: bool = False,
) -> tuple[ReviewedDeal, ...]:
    """Return the deals of a match with their marks.

    `seatings` has the entrant in each seat of each game. `evaluations` are those of the
    decisions so far, by their places. `prefix` says with which questions they were evaluated.
    """
    games = [deals(record, prefix=prefix) for record in records]
    result: list[ReviewedDeal] = []
    for number, record in enumerate(records):
        for place, deal in enumerate(games[number]):
            known = [one for one in deal.decisions if (number, one.turn) in evaluations]
            evaluated = [(one, evaluations[number, one.turn]) for one in known]
            marks = [
                _less(mark(one, evaluation), fair(deal.gains, record))
                for one, evaluation in evaluated
                if evaluation.scores
            ]
            waiting, deal_luck = len(deal.decisions) - len(known), tuple[Estimate, ...]()
            if not waiting:
                marks, deal_luck = _with_luck(record, deal, marks)
            chances = _Chances(records, seatings, games, number, place)
            of = len(deal.decisions)
            marks = [
                _with_chance(one, chances, part=1 - deal.decisions.index(one.decision) / of)
                for one in marks
            ]
            result.append(ReviewedDeal(number, place, tuple(marks), waiting, deal.gains, deal_luck))
    return tuple(result)


def _less(one: Mark, points: float) -> Mark:
    """A mark whose worth is so many points less."""
    return replace(one, worth=total([one.worth, exact(-points)]))


def _share(record: Record, seat: Seat, other: Seat) -> int:
    """How a loss of another seat changes a seat's expectation: 1, -1, or 0 if it isn't known."""
    if two_sides(record):
        return 1 if (seat - other) % 2 else -1
    return int(record.seats == 2 and is_constant_sum(record))


def _with_luck(
    record: Record, deal: Deal, marks: Sequence[Mark]
) -> tuple[list[Mark], tuple[Estimate, ...]]:
    """The marks with the luck after each, and the luck of each seat before its first decision."""
    lucky: dict[int, Estimate] = {}
    first = []
    for seat in range(record.seats):
        before: Mark | None = None
        expected, between = exact(0), list[Estimate]()
        for one in marks:
            if one.decision.seat == seat:
                luck = total([one.worth, _minus(expected), *between])
                if before is None:
                    first.append(luck)
                else:
                    lucky[before.decision.turn] = luck
                before, between = one, []
                expected = Estimate(one.worth.value - one.loss.value, *_ends(one), None)
            elif share := _share(record, seat, one.decision.seat):
                between.append(_minus(one.loss) if share > 0 else one.loss)
        last = total([exact(gain(deal.gains, seat, record)), _minus(expected), *between])
        if before is None:
            first.append(last)
        else:
            lucky[before.decision.turn] = last
    marks = [replace(one, luck=lucky[one.decision.turn]) for one in marks]
    return marks, tuple(first)


def _ends(one: Mark) -> tuple[float, float]:
    """The interval of what a seat expected of the answer that it played."""
    value, half = one.worth.value - one.loss.value, math.hypot(_half(one.worth), _half(one.loss))
    return value - half, value + half


class _Chances:
    """The chance of each seat to win the match, by the margin that it expects of a deal.

    Margins of deals to come are taken to be normal, as those of this match scatter, and their
    number to be known.
    """

    def __init__(
        self,
        records: Sequence[Record],
        seatings: Sequence[Sequence[int]],
        games: Sequence[Sequence[Deal]],
        number: int,
        place: int,
    ) -> None:
        record = records[number]
        self._factor = 1.0
        if not two_sides(record) and is_constant_sum(record):
            self._factor = record.seats / (record.seats - 1)
        self._after = len(games[number]) - place - 1 + sum(map(len, games[number + 1 :]))
        self._before: list[float] = []
        self._scatter: list[float] = []
        for seat in range(record.seats):
            gains, before = [], 0.0
            for other, dealt in enumerate(games):
                own = seatings[other].index(seatings[number][seat])
                for at, deal in enumerate(dealt):
                    gains.append(self._factor * gain(deal.gains, own, records[other]))
                    before += gains[-1] if (other, at) < (number, place) else 0
            self._before.append(before)
            self._scatter.append(math.sqrt(math.fsum(one**2 for one in gains) / len(gains)))

    def of(self, seat: Seat, points: float, part: float) -> float:
        """The chance with so many points of this deal expected, of which `part` is to be played."""
        scatter = self._scatter[seat] * math.sqrt(self._after + part)
        return NormalDist().cdf((self._before[seat] + self._factor * points) / scatter)

    def scatters(self, seat: Seat) -> bool:
        """Whether margins scatter at all."""
        return self._scatter[seat] > 0


def _with_chance(one: Mark, chances: _Chances, *, part: float) -> Mark:
    seat = one.decision.seat
    if not chances.scatters(seat):
        return one
    best = chances.of(seat, one.worth.value, part)

    def lost(loss: float | None) -> float | None:
        if loss is None:
            return None
        return best - chances.of(seat, one.worth.value - loss, part)

    loss = one.loss
    chance = Estimate(lost(loss.value) or 0.0, lost(loss.low), lost(loss.high), None)
    return replace(one, chance=chance)


def account(record: Record, done: Iterable[ReviewedDeal], seats: Sequence[Seat]) -> Account:
    """What became of a bot that holds these seats in a game.

    Deals that are still to be evaluated don't count.
    """
    losses, others, luck, points = list[Estimate](), list[Estimate](), list[Estimate](), 0.0
    by_part: dict[str, list[Estimate]] = {}
    own = seats[0]
    for deal in done:
        if deal.waiting:
            continue
        points += gain(deal.gains, own, record)
        luck.append(deal.deal_luck[own])
        luck += [one.luck for one in deal.marks if one.decision.seat == own]
        for one in deal.marks:
            if one.decision.seat in seats:
                losses.append(one.loss)
                by_part.setdefault(one.decision.part.name, []).append(one.loss)
            elif share := _share(record, own, one.decision.seat):
                others.append(one.loss if share > 0 else _minus(one.loss))
    parts = {part: total(estimates) for part, estimates in by_part.items()}
    return Account(points, total(losses), total(others), total(luck), parts)


def added_up(accounts: Sequence[Account]) -> Account:
    """What became of a bot in several games."""
    by_part: dict[str, list[Estimate]] = {}
    for one in accounts:
        for part, losses in one.by_part.items():
            by_part.setdefault(part, []).append(losses)
    return Account(
        sum(one.points for one in accounts),
        total(one.losses for one in accounts),
        total(one.others for one in accounts),
        total(one.luck for one in accounts),
        {part: total(losses) for part, losses in by_part.items()},
    )
