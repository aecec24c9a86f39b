"""A game as an environment of Gymnasium: one seat learns, the others are played inside."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from card_arena.library.envs import checked
from card_arena.library.play import new_game
from card_arena.library.state import State

Opponent = Callable[[State], int]


class CardEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A seat of a game; `opponent` returns the action of any other seat, at random by default.

    A seat is drawn for each game, unless it is given. An observation is a mapping of
    `observation`, the numbers of `Game.layout`, and `action_mask`. The reward comes at the end: the
    seat's score. For an illegal action the first legal one is taken, and `info["illegal"]` is true.
    Raises as `new_game` does.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        opponent: Opponent | None = None,
        seat: int | None = None,
        options: Mapping[str, Any] | Any = None,
        seats: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._new_game = partial(new_game, game, options, seats=seats)
        self._seat = self.seat = seat
        self._opponent = opponent or self._at_random
        self._random = random.Random()
        self.state = checked(self._new_game())
        kind = self.state.game
        self.action_space = spaces.Discrete(len(kind.actions))
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-127, 127, (kind.features,), np.int8),
                "action_mask": spaces.Box(0, 1, (len(kind.actions),), np.int8),
            }
        )

    def _at_random(self, state: State) -> int:
        return self._random.choice(state.legal_actions())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game and play it to the seat's first decision."""
        super().reset(seed=seed, options=options)
        self._random.seed(int(self.np_random.integers(2**62)))
        while True:
            self.state = self._new_game(seed=self._random.getrandbits(62))
            self.seat = (
                self._random.randrange(self.state.seats) if self._seat is None else self._seat
            )
            self._go_on()
            if not self.state.is_over:  # the seat may never be asked
                return self._observation(), {"seat": self.seat}

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action, and play on to the seat's next decision or to the end."""
        legal = self.state.legal_actions()
        illegal = bool(legal) and action not in legal
        self.state.apply(legal[0] if illegal else int(action))
        self._go_on()
        over, seat = self.state.is_over, self.seat
        assert seat is not None, "a game has begun"
        reward = float(self.state.returns()[seat]) if over else 0.0
        return self._observation(), reward, over, False, {"seat": seat, "illegal": illegal}

    def _go_on(self) -> None:
        while not self.state.is_over and self.state.to_act != self.seat:
            self.state.apply(self._opponent(self.state.clone()))

    def _observation(self) -> dict[str, Any]:
        return {
            "observation": np.array(self.state.observation(self.seat), np.int8),
            "action_mask": np.frombuffer(self.state.mask(), np.int8).copy(),
        }

    def render(self) -> str | None:
        """The question of the seat that is to act."""
        return None if self.render_mode is None or self.state.is_over else self.state.question()
