"""The games as games of OpenSpiel: `pyspiel.load_game("card_arena_NAME")` after an import.

A game begins with a chance node that draws one of `deals` seeds, from which all packs follow; so a
history can be played again. Parameters are `deals`, `seats` and `options`, the latter as JSON:
`pyspiel.load_game("card_arena_NAME", {"options": '{"max_rounds": 1}'})`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from card_arena.library.play import new_game
from card_arena.library.registry import Game, games
from card_arena.library.state import State

DEFAULTS = {"deals": 10_000, "seats": 0, "options": "{}"}


def _game_type(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=f"card_arena_{game.name}",
        long_name=f"{game.title} of Card Arena",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with the parameters of this module."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        self.deals = int(chosen["deals"])
        self._about = game.name, json.loads(chosen["options"]), int(chosen["seats"]) or None
        state = self.new_state(0)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(game.actions),
            max_chance_outcomes=self.deals,
            num_players=state.seats,
            min_utility=-1e6,
            max_utility=1e6,
            max_game_length=1_000_000,
        )
        super().__init__(_game_type(game), info, dict(params or {}))

    def new_state(self, seed: int) -> State:
        """A state of the library."""
        name, options, seats = self._about
        return new_game(name, options, seats=seats, seed=seed)

    def new_initial_state(self) -> OpenSpielState:
        """A game before its seed is drawn."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ARG002
        """The observer of observations and of information states, which are the same here."""
        return Observer(self)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position; `state` is the library's, or None before the seed is drawn."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._game = game
        self.state: State | None = None

    def current_player(self) -> int:
        """The seat that is to act, or chance before the seed is drawn."""
        if self.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.state.is_over else self.state.to_act

    def _legal_actions(self, player: int) -> list[int]:
        assert self.state is not None
        return self.state.legal_actions() if player == self.state.to_act else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds, all equally likely."""
        return [(seed, 1 / self._game.deals) for seed in range(self._game.deals)]

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            self.state = self._game.new_state(action)
        else:
            self.state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0:
            return f"seed {action}"
        return (self.state or self._game.new_state(0)).text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state is not None and self.state.is_over

    def returns(self) -> list[float]:
        """The scores at the end, 0 before."""
        if self.state is None or not self.state.is_over:
            return [0.0] * self._game.num_players()
        return [*map(float, self.state.returns())]

    def __str__(self) -> str:
        if self.state is None or self.state.is_over:
            return "before the deal" if self.state is None else f"over: {self.state.returns()}"
        return self.state.question()


class Observer:
    """What a seat may know: `tensor` in one piece, `dict` by the parts of `Game.layout`."""

    def __init__(self, game: OpenSpielGame) -> None:
        self._game = game.new_state(0).game
        self.tensor = np.zeros(self._game.features, np.float32)
        self.dict = {name: self.tensor[self._game.part(name)] for name, *_ in self._game.layout}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Take over what the player sees in a state."""
        if state.state is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = state.state.observation(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The words of the protocol's question."""
        if state.state is None or state.state.is_over:
            return str(state)
        return state.state.question(player)


def _register(game: Game) -> None:
    class Registered(OpenSpielGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(_game_type(game), Registered)


for _one in games():
    _register(_one)
