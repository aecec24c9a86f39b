"""How many decisions a second a program in Python takes in the games of this and other libraries.

Every decision is one of the legal actions at random. All are timed in turn in the same run, and the
median is shown.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from card_arena.library.envs.vector import VectorEnv
from card_arena.library.play import new_game
from card_arena.library.registry import games
from card_arena.tests.bench.timing import Row

HEADINGS = ("library and game", "with legal actions", "with observation", "many games at once")

TURNS, SECONDS = 5, 0.4
GAMES_AT_ONCE = 1024
OPTIONS = {"spades": {"max_rounds": 1}, "blot": {"max_deals": 1}, "tarot": {"deals": 1}}

GOALS = {
    "spades": ("300,000", "150,000", "3,000,000"),
    "blot": ("300,000", "150,000", "3,000,000"),
    "tarot": ("300,000", "150,000", "3,000,000"),
    "durak": ("100,000", "50,000", "1,000,000"),
    "blackjack": ("100,000", "50,000", "1,000,000"),
}

_random = random.Random(1).random

Way = Callable[[], int]
"""Plays a game, or a step of many; returns the number of decisions."""


def library_rows(rounds: int) -> Iterator[Row]:
    """The rows of other libraries, then ours, with what each is to reach."""
    ways: list[tuple[str, list[Way | None], Sequence[str]]] = [
        *((name, plays, ()) for name, plays in _others()),
        *((game.title, _ours(game.name), GOALS[game.name]) for game in games()),
    ]
    paces: list[list[list[float]]] = [[[] for _ in plays] for _, plays, _ in ways]
    for _ in range(TURNS):
        for (_, plays, _), times in zip(ways, paces, strict=True):
            for way, found in zip(plays, times, strict=True):
                if way is not None:
                    found.append(_pace(way))
    for (name, plays, goals), times in zip(ways, paces, strict=True):
        cells = [f"{statistics.median(found):,.0f}" if found else "-" for found in times]
        if goals:
            cells = [f"{cell} of {goal}" for cell, goal in zip(cells, goals, strict=True)]
        first, second, third = (*cells, *["-"] * (3 - len(plays)))
        yield name, first, second, third


def _pace(way: Way) -> float:
    begun, decisions = time.perf_counter(), 0
    while (now := time.perf_counter()) < begun + SECONDS:
        decisions += way()
    return decisions / (now - begun)


def _ours(name: str) -> list[Way | None]:
    options = OPTIONS.get(name)
    env = VectorEnv(name, GAMES_AT_ONCE, options=options)

    def play(observe: bool) -> int:
        state = new_game(name, options, seed=int(_random() * 2**60))
        while not state.is_over:
            legal = state.legal_actions()
            if observe:
                state.observation()
            state.apply(legal[int(_random() * len(legal))])
        return len(state.path)

    def step() -> int:
        env.step(env.random_actions())
        return GAMES_AT_ONCE

    return [partial(play, observe=False), partial(play, observe=True), step]


def _others() -> Iterator[tuple[str, list[Way | None]]]:
    yield from ((f"OpenSpiel {name}", _openspiel(name)) for name in ("spades", "skat", "hearts"))
    for name in ("doudizhu", "gin-rummy", "bridge", "leduc-holdem"):
        yield f"RLCard {name}", [None, _rlcard(name)]
    yield "PettingZoo leduc_holdem", [None, _pettingzoo()]
    yield "colver, belote contrée", [_colver(observe=False), _colver(observe=True)]


def _openspiel(name: str) -> list[Way | None]:
    import pyspiel

    game = pyspiel.load_game(name)
    kind = game.get_type()

    def play(observe: bool) -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            chance = state.is_chance_node()
            if observe and not chance:
                seat = state.current_player()
                if kind.provides_observation_tensor:
                    state.observation_tensor(seat)
                else:
                    state.information_state_tensor(seat)
            decisions += not chance
            state.apply_action(legal[int(_random() * len(legal))])
        return decisions

    return [partial(play, observe=False), partial(play, observe=True)]


def _rlcard(name: str) -> Way:
    import rlcard

    env = rlcard.make(name)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            legal = [*state["legal_actions"]]
            state, _ = env.step(legal[int(_random() * len(legal))])
            decisions += 1
        return decisions

    return play


def _pettingzoo() -> Way:
    from pettingzoo.classic import leduc_holdem_v4

    env = leduc_holdem_v4.env()

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(legal[int(_random() * len(legal))])
            decisions += 1
        return decisions

    return play


def _colver(observe: bool) -> Way:
    import colver

    env = colver.Env()

    def play() -> int:
        env.reset()
        decisions = 0
        while not env.is_terminal():
            legal = env.legal_actions()
            if observe:
                env.get_observation()
            env.step(legal[int(_random() * len(legal))])
            decisions += 1
        return decisions

    return play
