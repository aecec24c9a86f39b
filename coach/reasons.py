"""A sentence with counts that says why an answer cost points.

It counts deals of the unseen cards, all equally likely, that the seat could not tell from the real
one: what an opponent could do there after the answer that was played, and after the best one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from card_arena.native_state import NativeState
from card_arena.play import replay
from card_arena.state import State
from coach.decisions import Decision, two_sides
from coach.review import Scores
from tables.cards import is_card
from tables.game import BIDS, CHANCE, HANDS
from tables.record import Record

DEALS = 100
"""How many deals are counted."""


def reason(record: Record, decision: Decision, best: str, scores: Scores) -> str:
    """Say why `best` would have been better than the answer that was played."""
    played, seat = decision.played, decision.seat
    holds: Callable[[State], bool]
    state = None if decision.part.name in (BIDS, HANDS.name) else _position(record, decision)
    if state is not None:
        rng = random.Random(" ".join(decision.words))
        deals = [state.resample(seat, rng) for _ in range(DEALS)]
        fit = f"Of {DEALS} deals that fit what seat {seat} had seen"
        laid = decision.part.laid
        if laid is None:
            what, holds = "the next seat has a card to play", _can_go_on
        else:
            left = record.seats - laid - 1
            what = "an opponent can take the trick"
            holds = partial(_can_be_taken, seat=seat, record=record, left=left)
        before, after = (_count(deals, state, one, holds) for one in (played, best))
        if before != after:
            return f"{fit}, {what} after {played} in {before}, and after {best} in {after}."
    better = sum(one[best] > one[played] for one in scores)
    return f"In {better} of {len(scores)} samples {best} was worth more than {played}."


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


def _can_go_on(state: State) -> bool:
    """Whether the seat that is to act can play a card."""
    return any(is_card(state.text(action)) for action in state.legal_actions())


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
