from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from card_arena.coach.decisions import Decision, deals, gain
from card_arena.coach.review import (
    MORE_SAMPLES,
    SAMPLES,
    Evaluation,
    Scores,
    account,
    mark,
    needs_more,
    reviewed,
)
from card_arena.tables.game import BIDS, END, FOLLOWING, HANDS, LEADS, Part
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES, game
from card_arena.tests.coach.records import by_chance, record_of


def game_at_random(name: str, seats: int, seed: int = 5) -> Record:
    return record_of(name, [by_chance(seed + seat) for seat in range(seats)], seed)


def scores_at_random(decision: Decision, rng: random.Random, samples: int = SAMPLES) -> Scores:
    return [
        {answer: rng.gauss(len(answer), 5) for answer in decision.answers} for _ in range(samples)
    ]


def a_decision(answers: Sequence[str], played: str) -> Decision:
    return Decision(
        3, 0, 0, Part(FOLLOWING), ("spades", "play"), tuple(answers), played, fault=False
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_question_with_a_choice_of_single_answers_is_a_decision(name: str) -> None:
    record = game_at_random(name, game(name).seats[-1])
    decisions = [decision for deal in deals(record) for decision in deal.decisions]
    asked = {turn for turn, played in enumerate(record.turns) if played.question}
    assert {decision.turn for decision in decisions} <= asked
    if name in ("spades", "tarot"):  # no answer is one of a range
        assert all(decision.played in decision.answers for decision in decisions)
    assert all(" ".join(one.words) == record.turns[one.turn].question for one in decisions)


@pytest.mark.parametrize(
    ("name", "seats", "parts"),
    [
        ("spades", 4, {BIDS, LEADS, FOLLOWING, END}),
        ("durak", 2, {LEADS, FOLLOWING, END}),
        ("blackjack", 3, {HANDS.name}),
    ],
)
def test_decisions_belong_to_parts_of_a_game(name: str, seats: int, parts: set[str]) -> None:
    record = game_at_random(name, seats)
    assert {one.part.name for deal in deals(record) for one in deal.decisions} == parts


@pytest.mark.parametrize("name", GAMES)
def test_what_is_won_deal_by_deal_adds_up_to_the_scores(name: str) -> None:
    record = game_at_random(name, game(name).seats[-1])
    gains = [deal.gains for deal in deals(record)]
    assert tuple(map(sum, zip(*gains, strict=True))) == record.over.scores


def test_the_loss_is_what_the_best_answer_is_worth_above_the_played_one() -> None:
    scores = [{"7H": 10.0 + sample, "8H": 4.0 + sample} for sample in range(SAMPLES)]
    judged = mark(a_decision(("7H", "8H"), "8H"), Evaluation(scores))
    assert (judged.best, judged.loss.value, judged.loss.low) == ("7H", 6.0, 6.0)
    assert judged.flagged
    assert not mark(a_decision(("7H", "8H"), "7H"), Evaluation(scores)).flagged


def test_of_answers_that_are_worth_the_same_the_played_one_is_best() -> None:
    scores = [dict.fromkeys(("7H", "8H", "9H"), 4.0)] * SAMPLES
    assert mark(a_decision(("7H", "8H", "9H"), "8H"), Evaluation(scores)).best == "8H"


def test_answers_that_are_worth_the_same_lose_nothing_on_average_however_many_there_are() -> None:
    rng = random.Random(1)
    answers = [f"{rank}H" for rank in "23456789TJQKA"]
    losses = [
        mark(
            a_decision(answers, "2H"),
            Evaluation([{answer: rng.gauss(0, 10) for answer in answers} for _ in range(SAMPLES)]),
        ).loss.value
        for _ in range(2000)
    ]
    error = math.sqrt(sum(loss**2 for loss in losses)) / len(losses)
    assert abs(sum(losses) / len(losses)) < 4 * error


def test_few_equal_answers_are_flagged_since_more_samples_decide_alone() -> None:
    rng = random.Random(2)
    decision = a_decision([f"{rank}H" for rank in "23456789TJQKA"], "2H")
    flagged = 0
    for _ in range(2000):
        scores = [*scores_of_equals(decision, rng, SAMPLES)]
        if needs_more(scores, decision.played):
            scores += scores_of_equals(decision, rng, MORE_SAMPLES)
            flagged += mark(decision, Evaluation(scores)).flagged
    assert flagged <= 10


def scores_of_equals(decision: Decision, rng: random.Random, samples: int) -> Scores:
    return [{answer: rng.gauss(0, 10) for answer in decision.answers} for _ in range(samples)]


@pytest.mark.parametrize(("name", "seats"), [("spades", 4), ("durak", 2), ("tarot", 3)])
def test_losses_and_luck_add_up_to_what_a_seat_won(name: str, seats: int) -> None:
    record = game_at_random(name, seats)
    rng = random.Random(3)
    scores = {
        (0, one.turn): Evaluation(scores_at_random(one, rng))
        for deal in deals(record)
        for one in deal.decisions
    }
    marked = reviewed([record], [range(seats)], scores)
    for seat in range(seats):
        for held in ((seat,), (seat, (seat + 2) % 4)) if seats == 4 else ((seat,),):
            won = account(record, marked, held)
            assert won.points == sum(gain(deal.gains, seat, record) for deal in deals(record))
            explained = won.luck.value + won.others.value - won.losses.value
            assert explained == pytest.approx(won.points)


def test_a_loss_costs_a_part_of_the_chance_of_the_match() -> None:
    record = game_at_random("spades", 4)
    scores = {(0, one.turn): Evaluation(costly(one)) for one in deals(record)[0].decisions}
    for one in reviewed([record], [range(4)], scores)[0].marks:
        assert one.chance is not None
        assert 0 < one.chance.value <= 0.5


def costly(decision: Decision) -> Scores:
    """The answer that was played loses 60 points, the others none."""
    return [{answer: -60.0 * (answer == decision.played) for answer in decision.answers}] * SAMPLES


def test_decisions_that_are_not_evaluated_wait_and_no_luck_is_known() -> None:
    record = game_at_random("spades", 4)
    first, *others = deals(record)[0].decisions
    deal = reviewed([record], [range(4)], {(0, first.turn): Evaluation(costly(first))})[0]
    assert (len(deal.marks), deal.waiting, deal.deal_luck) == (1, len(others), ())
    assert account(record, [deal], (0,)).points == 0
