"""A sentence with counts that says why an answer cost points.

It counts deals of the unseen cards, all equally likely, that the seat could not tell from the real
one: those with a bad event after the answer that was played and after the best one, and those in
which the best one brings more with open hands.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from math import sqrt

from card_arena.coach.decisions import Decision, two_sides
from card_arena.coach.review import Scores
from card_arena.library.native_state import NativeState
from card_arena.library.play import replay
from card_arena.library.solver import NotSolvable, solve
from card_arena.library.state import State
from card_arena.tables.game import BIDS, CHANCE, HANDS, Terminal
from card_arena.tables.record import Record

DEALS = 100
"""How many deals are counted."""

MOST_CARDS = 6
"""The most cards in any hand with which deals are also solved."""


def reason(record: Record, decision: Decision, best: str, scores: Scores) -> str:
    """Say why `best` would have been better than the answer that was played."""
    played, seat = decision.played, decision.seat
    state = None if decision.part.name in (BIDS, HANDS.name) else _position(record, decision)
    facts = []
    if state is not None:
        rng = random.Random(" ".join(decision.words))
        deals = [state.resample(seat, rng) for _ in range(DEALS)]
        what, holds = _event(record, decision)
        before, after = (_count(deals, state, one, holds) for one in (played, best))
        noise = sum(count * (1 - count / DEALS) for count in (before, after))
        fewer = before - after > 2 * sqrt(noise)
        if fewer if decision.part.laid is None else before != after:  # only play at random is noisy
            facts.append(f"{what} after {played} in {before}, and after {best} in {after}")
        more, less = _with_open_hands(deals, state, played, best)
        if more > less:
            facts.append(f"with open hands {best} brings more in {more}, and less in {less}")
    if facts:
        return f"Of {DEALS} deals that fit what seat {seat} had seen, {'; '.join(facts)}."
    better = sum(one[best] > one[played] for one in scores)
    return f"In {better} of {len(scores)} samples {best} was worth more than {played}."


def _event(record: Record, decision: Decision) -> tuple[str, Callable[[State], bool]]:
    """What is counted after an answer, and whether it holds in a deal."""
    laid = decision.part.laid
    if laid is None:
        what = f"if all play on at random, seat {decision.seat} is the last with cards"
        return what, partial(_is_last_at_random, seat=decision.seat)
    left = record.seats - laid - 1
    holds = partial(_can_be_taken, seat=decision.seat, record=record, left=left)
    return "an opponent can take the trick", holds


def _position(record: Record, decision: Decision) -> State | None:
    """The position of a decision; None where the native core, which deals quickly, isn't there."""
    asked = sum(turn.seat != CHANCE for turn in record.turns[: decision.turn])
    state = next(state for number, (state, _) in enumerate(replay(record)) if number == asked)
    return state.clone() if isinstance(state, NativeState) else None


def _count(deals: list[State], state: State, answer: str, holds: Callable[[State], bool]) -> int:
    """In how many deals something holds after an answer."""
    actions, count = state.rules().actions_of(answer), 0
    for deal in deals:
        after = deal.clone()
        for action in actions:
            after.apply(action)
        count += holds(after)
    return count


def _with_open_hands(deals: list[State], state: State, one: str, other: str) -> tuple[int, int]:
    """In how many deals the other answer brings more with open hands, and in how many less."""
    rules = state.rules()
    assert not isinstance(rules.phase, Terminal)
    question = rules.phase.question(state.to_act)
    own = len(getattr(question, "hand", "").split(","))
    sizes = map(int, getattr(question, "sizes", str(own)).split(","))  # alike in games of tricks
    actions = [rules.actions_of(answer) for answer in (one, other)]
    if max(own, *sizes) > MOST_CARDS or any(len(each) != 1 for each in actions):
        return 0, 0
    try:
        solved = [solve(deal) for deal in deals]
    except NotSolvable:
        return 0, 0
    leads = [values[actions[1][0]] - values[actions[0][0]] for values in solved]
    return sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)


def _is_last_at_random(state: State, seat: int) -> bool:
    """Whether a seat loses the game when all play on at random."""
    rng = random.Random(0)
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))
    scores = state.returns()
    return scores[seat] == min(scores) < max(scores)


def _can_be_taken(state: State, seat: int, record: Record, left: int) -> bool:
    """Whether an opponent can come to lead next, when so many more cards are laid."""
    if not left:
        return _are_opponents(state.to_act, seat, record)
    for action in state.legal_actions():
        state.apply(action)
        taken = _can_be_taken(state, seat, record, left - 1)
        state.undo()
        if taken:
            return True
    return False


def _are_opponents(one: int, other: int, record: Record) -> bool:
    """Whether two seats are of different sides; where sides change, every other seat counts."""
    return (one - other) % 2 == 1 if two_sides(record) else one != other
