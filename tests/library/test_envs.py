"""The environments pass the tests of the libraries that they are for."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from card_arena.library.envs import vector
from card_arena.library.envs.gymnasium import CardEnv as GymnasiumEnv
from card_arena.library.envs.pettingzoo import CardEnv as PettingZooEnv
from card_arena.library.envs.vector import VectorEnv
from card_arena.library.play import new_game
from card_arena.library.registry import games
from card_arena.tables.game import IllegalAction

TOP = Path(__file__).parents[2]

SHORT = {"spades": {"max_rounds": 1}, "blot": {"max_deals": 2}, "tarot": {"deals": 1}}

each_game = pytest.mark.parametrize("name", [game.name for game in games()])


@contextmanager
def usual_warnings() -> Iterator[None]:
    """PettingZoo warns of observations that aren't arrays, as those of its own card games aren't,
    and of itself."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")
        warnings.filterwarnings("ignore", message="The old environment creation API")
        yield


@each_game
def test_pettingzoo_accepts_each_game(name, capsys):
    with usual_warnings():
        from pettingzoo.test import api_test, seed_test

        api_test(PettingZooEnv(name, options=SHORT.get(name)), num_cycles=200)
        seed_test(lambda: PettingZooEnv(name, options=SHORT.get(name)), num_cycles=200)


@each_game
def test_gymnasium_accepts_each_game(name):
    from gymnasium.utils.env_checker import check_env

    check_env(GymnasiumEnv(name, options=SHORT.get(name)), skip_render_check=True)


@each_game
def test_openspiel_plays_each_game(name):
    import pyspiel

    import card_arena.library.envs.openspiel  # noqa: F401

    options = {"spades": '{"max_rounds": 1}', "blot": '{"max_deals": 1}', "tarot": '{"deals": 1}'}
    game = pyspiel.load_game(f"card_arena_{name}", {"options": options.get(name, "{}")})
    pyspiel.random_sim_test(game, 1, False, False)


@each_game
def test_a_vector_of_games_plays_like_single_ones(name):
    options, count = SHORT.get(name), 16
    env = VectorEnv(name, count, options=options, seed=3)
    ended = 0
    for _ in range(400):
        assert env.masks.any(axis=1).all(), "there is always a legal action"
        actions = env.random_actions()
        assert env.masks[np.arange(count), actions].all()
        env.step(actions)
        assert (env.rewards[env.ended == 0] == 0).all()
        ended += int(env.ended.sum())
    assert ended
    first = VectorEnv(name, count, options=options, seed=3)
    second = VectorEnv(name, count, options=options, seed=3)
    assert (first.observations == second.observations).all()
    assert (first.observations[0] != first.observations[1]).any()


def test_a_vector_fills_the_callers_arrays_and_refuses_others():
    masks = np.zeros((8, len(new_game("spades").game.actions)), np.uint8)
    env = VectorEnv("spades", 8, masks=masks, observe=False)
    assert masks.any(axis=1).all()
    assert not env.observations.any()
    with pytest.raises(ValueError, match="masks must be a writable C array of uint8 in shape"):
        VectorEnv("spades", 8, masks=masks.astype(np.int32))
    with pytest.raises(ValueError, match="there is no array 'mask'"):
        VectorEnv("spades", 8, mask=masks)


@each_game
def test_a_vector_without_the_core_plays_the_same(name):
    code = f"""
import numpy as np
from card_arena.library.envs.vector import VectorEnv
env = VectorEnv({name!r}, 3, options={SHORT.get(name)!r}, seed=5)
total = 0
for number in range(90):
    env.step(env.random_actions())
    total = (31 * total + int(env.observations.astype(int).sum())) % 10**9
    total += int(env.rewards.sum()) + int(env.ended.sum()) + int(env.masks.sum())
print(total)
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"CARD_ARENA_CORE": core},
        ).stdout
        for core in ("", "python")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("native", [True, False], ids=["core", "rules"])
def test_an_illegal_action_in_a_vector_leaves_all_games_as_they_were(native, monkeypatch):
    if not native:
        monkeypatch.setattr(vector, "new_game", partial(new_game, native=False))
    env = VectorEnv("spades", 4, options={"max_rounds": 1})
    before, actions = env.to_act.copy(), env.random_actions()
    good = actions.copy()
    actions[2] = -1
    with pytest.raises(IllegalAction, match="action -1 of game 2 is not legal now"):
        env.step(actions)
    assert (env.to_act == before).all()
    env.step(good)
    assert (env.to_act == (before + 1) % 4).all()


def test_an_illegal_action_in_gymnasium_is_told():
    env = GymnasiumEnv("spades", seat=0)
    seen, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    assert env.step(illegal)[4]["illegal"]


def test_a_table_at_which_nobody_acts_is_one_clear_error():
    for env in (GymnasiumEnv, PettingZooEnv):
        with pytest.raises(ValueError, match="nobody is ever asked at this table of blackjack"):
            env("blackjack", options={"start_chips": 0})
    with pytest.raises(ValueError, match="nobody is ever asked at this table of blackjack"):
        VectorEnv("blackjack", 2, options={"start_chips": 0})
