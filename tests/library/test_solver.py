"""Exact values with open hands: of the core, of the Python rules, of a search of all play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

import card_arena
from card_arena.library.registry import named
from card_arena.library.solver import NotSolvable, solve
from card_arena.library.state import State
from card_arena.tests.library.playing import random_table

every_solved_game = pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak"])


class Position(NamedTuple):
    """A position, its sides in the order of the seats, and how many cards are in play.

    There are no sides where it can't be solved.
    """

    state: State
    sides: tuple[Sequence[int], Sequence[int]] | None
    cards: int


def positions(name: str, seed: int, **changes: Any) -> Iterator[Position]:
    """All positions of a random game under random options."""
    rng = random.Random(f"{name} {seed}")
    options, seats = random_table(named(name), rng)
    options = options.model_copy(update=changes)
    state = card_arena.new_game(name, options, seats=seats, seed=seed, native=True)
    while not state.is_over:
        yield Position(state, *sides(state))
        state.apply(rng.choice(state.legal_actions()))


def sides(state: State) -> tuple[tuple[Sequence[int], Sequence[int]] | None, int]:
    """The sides, None where the position can't be solved, and the number of cards."""
    phase: Any = state.rules().phase
    word, options = state.question().split()[1], state.options
    match state.game.name:
        case "durak":
            bout = phase.bout
            cards = sum(map(len, (*bout.hands, bout.attacks, bout.defences)))
            seats = [seat for seat, out in enumerate(bout.out) if not out]
            if bout.talon or (
                options.transfer != "never" and (options.transfer_back or options.partners)
            ):
                return None, cards
            if options.partners:
                return ((0, 2), (1, 3)), cards
            return (((seats[0],), (seats[1],)) if len(seats) == 2 else None), cards
        case "tarot" if word == "play" and phase.tricks:
            taker = phase.deal.taker
            defenders = [seat for seat in range(3) if seat != taker]
            return ((taker,), defenders), sum(map(len, phase.hands))
        case "blot" if word == "play" and (options.declare == "auto" or phase.history):
            return ((0, 2), (1, 3)), sum(map(len, phase.hands))
        case "spades" if word == "play":
            return ((0, 2), (1, 3)), sum(map(len, phase.hands))
    return None, 0


def best(position: Position) -> dict[int, int]:
    """The value of every legal action, found by playing everything out."""
    state, both, cards = position
    assert both is not None
    ours, theirs = both if state.to_act in both[0] else both[::-1]

    def lead(after: State) -> int:
        if after.is_over:
            scores: Sequence[int] = after.returns()
        elif after.game.name == "durak":
            return 0
        else:
            names = after.game.rules.questions[0].__slots__
            texts = dict(zip(names, after.question().split(), strict=False))
            scores = [*map(int, texts["scores"].split(","))]
        return scores[ours[0] % len(scores)] - scores[theirs[0] % len(scores)]

    def value(after: State, left: int) -> int:
        if after.is_over or (left == 0 and after.game.name != "durak"):
            return lead(after)
        choose = max if after.to_act in ours else min
        return choose(value(following(after, one), left - 1) for one in after.legal_actions())

    before = lead(state)
    return {
        action: value(following(state, action), cards - 1) - before
        for action in state.legal_actions()
    }


def following(state: State, action: int) -> State:
    """The position after an action."""
    after = state.clone()
    after.apply(action)
    return after


@every_solved_game
def test_values_are_those_of_all_play(name):
    rng, compared = random.Random(name), 0
    for seed in range(240 if name == "durak" else 120):
        changes, most = {}, rng.randint(2, 7)
        if name == "durak":
            changes = {"transfer": "never"} if seed % 3 else {"transfer_back": False}
        elif seed % 2:
            changes, most = {"deals" if name == "tarot" else "max_rounds": 1}, 11
        for position in positions(name, seed, **changes):
            if position.sides and position.cards <= most:
                values, where = best(position), f"seed {seed}: {position.state.question()}"
                assert solve(position.state) == values, where
                assert solve(position.state.rules()) == values, where
                compared += 1
                break
    assert compared >= 40


@every_solved_game
def test_other_positions_are_not_solved(name):
    refused = 0
    for seed in range(6):
        for position in positions(name, seed):
            if position.sides is None:
                refused += 1
                for state in (position.state, position.state.rules()):
                    with pytest.raises(NotSolvable, match="only positions are solved"):
                        solve(state)
    assert refused > 50


def test_a_game_that_is_over_is_not_solved():
    state = card_arena.new_game("durak", seed=1)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    for over in (state, state.rules()):
        with pytest.raises(NotSolvable):
            solve(over)
