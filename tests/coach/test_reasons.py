"""The sentence that says why an answer cost points. Its counts need the compiled core."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

from card_arena.coach.decisions import Decision, deals
from card_arena.coach.reasons import reason
from card_arena.library.play import replay
from card_arena.library.solver import solve
from card_arena.library.state import State
from card_arena.tables.game import CHANCE
from card_arena.tables.record import Record
from card_arena.tests.coach.records import by_chance, record_of


def positions(record: Record) -> Iterator[tuple[Decision, State]]:
    """Every decision with its position."""
    decisions = {one.turn: one for deal in deals(record) for one in deal.decisions}
    asked = [turn for turn, played in enumerate(record.turns) if played.seat != CHANCE]
    for number, (state, _) in enumerate(replay(record)):
        if number < len(asked) and asked[number] in decisions:
            yield decisions[asked[number]], state


def after(state: State, answer: str) -> State:
    state = state.clone()
    for action in state.rules().actions_of(answer):
        state.apply(action)
    return state


def told(record: Record, decision: Decision, best: str) -> str:
    return reason(record, decision, best, [{best: 1, decision.played: 0}] * 6)


def test_it_counts_in_which_deals_an_opponent_can_take_the_trick() -> None:
    record = record_of("spades", [by_chance(seat) for seat in range(4)], 5, max_rounds=1)
    counted = 0
    for decision, state in positions(record):
        if decision.part.laid != 3:  # the last seat of a trick knows who takes it
            continue
        for best in decision.answers:
            lost, won = (
                (after(state, one).to_act - decision.seat) % 2 == 1
                for one in (decision.played, best)
            )
            sentence = told(record, decision, best)
            before = f"an opponent can take the trick after {decision.played} in {100 * lost}, "
            assert (before + f"and after {best} in {100 * won}" in sentence) == (lost != won)
            counted += lost != won
    assert counted >= 3


def test_with_few_cards_it_counts_in_which_deals_the_best_answer_brings_more() -> None:
    counted = 0
    for seed in range(6):
        record = record_of("durak", [by_chance(seed), by_chance(9)], seed)
        for decision, state in positions(record):
            rules = state.rules()
            question = rules.phase.question(decision.seat)
            if question.talon or max(map(int, question.sizes.split(","))) > 6:
                continue
            values = solve(state)
            (played,) = rules.actions_of(decision.played)
            for best in decision.answers:
                (action,) = rules.actions_of(best)
                more = values[action] > values[played]
                sentence = told(record, decision, best)
                fact = f"with open hands {best} brings more in 100, and less in 0."
                assert (fact in sentence) == more  # the talon is empty: one deal alone fits
                counted += more
    assert counted >= 3


def test_what_may_be_the_chance_of_play_at_random_is_no_reason() -> None:
    record = record_of("durak", [by_chance(1), by_chance(9)], 1)
    sentences = [
        told(record, decision, best)
        for decision, _ in itertools.islice(positions(record), 16)
        for best in decision.answers[:2]
    ]
    pattern = r"seat \d is the last with cards after \S+ in (\d+), .* in (\d+)[;.]"
    counts = [tuple(map(int, found)) for one in sentences for found in re.findall(pattern, one)]
    assert counts
    for before, after_best in counts:
        errors = [math.sqrt(count * (100 - count) / 100) for count in (before, after_best)]
        assert before - after_best > 2 * math.hypot(*errors)


def test_without_such_counts_it_says_in_how_many_samples_the_best_answer_was_worth_more() -> None:
    record = record_of("blackjack", [by_chance(1), by_chance(2)], 3)
    decision = next(one for deal in deals(record) for one in deal.decisions)
    best = next(answer for answer in decision.answers if answer != decision.played)
    scores = [{best: 1.0, decision.played: 0.0}] * 5 + [{best: 0.0, decision.played: 1.0}]
    expected = f"In 5 of 6 samples {best} was worth more than {decision.played}."
    assert reason(record, decision, best, scores) == expected
