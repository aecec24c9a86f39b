"""Games at random, under random options, by the compiled core and by the Python rules at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

from pydantic import ValidationError

from card_arena.library.play import new_game
from card_arena.library.registry import Game
from card_arena.library.state import OVER, State
from card_arena.tables.game import BadTable, IllegalAction

SMALL = {
    "goal": (50, 100, 500),
    "lose": (0, -100, -30, -300),
    "max_rounds": (1, 2, 3, 5),
    "target": (10, 60, 301),
    "max_deals": (1, 3, 8),
    "capot_level": (8, 9, 25),
    "deals": (1, 2, 6),
    "redeals": (0, 1, 3),
    "hands": (1, 3, 8),
    "start_chips": (0, 5, 10, 25, 200),
    "move_cap": (0, 1, 3, 100),
}
"""Values to choose from for options that are numbers."""


def random_table(game: Game, rng: random.Random) -> tuple[Any, int]:
    """Options, each chosen at random, and a number of seats that can play with them."""
    while True:
        chosen: dict[str, Any] = {}
        for name, field in game.rules.options.model_fields.items():
            values = get_args(field.annotation)
            if field.annotation is bool:
                values = (False, True)
            chosen[name] = rng.choice((*(values or SMALL[name]), field.default))
        seats = rng.choice(game.seats)
        try:
            options = game.rules.options(**chosen)
            game.rules.check_table(options, seats)
        except (ValidationError, BadTable):
            continue
        return options, seats


def both(game: Game, options: Any, seats: int, seed: int) -> Iterator[tuple[State, State, int]]:
    """One random game by the core and by the rules: both states before each decision, and it."""
    one = new_game(game.name, options, seats=seats, seed=seed, native=True)
    other = new_game(game.name, options, seats=seats, seed=seed, native=False)
    rng = random.Random(seed)
    while one.to_act != OVER:
        action = rng.choice(one.legal_actions())
        if game.numbering.offered and rng.random() < 0.2:
            action = unnumbered(one, other, rng) or action
        yield one, other, action
        one.apply(action)
        other.apply(action)
    assert one.returns() == other.returns()


def unnumbered(one: State, other: State, rng: random.Random) -> int | None:
    """An action beyond the numbered ones that both states allow, or None if neither does."""
    action = len(one.game.actions) + rng.randrange(250)
    allowed = can_apply(one, action)
    assert allowed == can_apply(other, action), f"{one.text(action)} in {other.question()}"
    return action if allowed else None


def can_apply(state: State, action: int) -> bool:
    """Whether an action is legal."""
    try:
        state.clone().apply(action)
    except IllegalAction:
        return False
    return True


def compare(game: Game, seed: int, most: int) -> int:
    """Compare a random game step by step; return the number of its decisions."""
    rng = random.Random(f"{game.name} {seed}")
    options, seats = random_table(game, rng)
    number = 0
    for one, other, _ in both(game, options, seats, seed):
        where = f"{game.name}, seed {seed}, {options}, path {one.path}: {other.question()}"
        assert one.to_act == other.to_act, where
        legal = other.legal_actions()
        assert one.legal_actions() == legal, where
        for seat in {one.to_act, rng.randrange(seats)}:
            seen, expected = one.observation(seat), other.observation(seat)
            differs = [
                (n, a, b) for n, (a, b) in enumerate(zip(seen, expected, strict=True)) if a != b
            ]
            assert not differs, f"seat {seat} of {where}"
        number += 1
        if number == most:
            break
    return number


if __name__ == "__main__":  # python -m card_arena.tests.library.playing GAME DECISIONS [SEED]
    import sys

    from card_arena.library.registry import named

    played, seed = 0, int(sys.argv[3]) if len(sys.argv) > 3 else 0
    while played < int(sys.argv[2]):
        played += compare(named(sys.argv[1]), seed, 2000)
        seed += 1
    print(f"{played} decisions agree, up to seed {seed}")
