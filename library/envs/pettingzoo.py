"""A game as an AEC environment of PettingZoo."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from card_arena.library.envs import checked
from card_arena.library.play import new_game


class CardEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One agent a seat, `player_0` first; one step is one decision.

    An observation is a mapping of `observation`, the numbers of `Game.layout`, and `action_mask`,
    which is all 0 for an agent that isn't to act. Rewards come when the game is over: the scores.
    An illegal action raises `IllegalAction`. Raises as `new_game` does.
    """

    metadata = {"name": "card_arena_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        options: Mapping[str, Any] | Any = None,
        seats: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._new_game = partial(new_game, game, options, seats=seats)
        self.state_of_game = checked(self._new_game())
        kind = self.state_of_game.game
        self.metadata = {**self.metadata, "name": f"card_arena_{game}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.state_of_game.seats)]
        actions = len(kind.actions)
        self._action_space = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_space = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-127, 127, (kind.features,), np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seed = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space for each agent, always the same object."""
        return self._observation_space[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of all actions of the game."""
        return self._action_space[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Begin a game: by its seed, or else with the cards that follow from the last one."""
        self._seed = self._seed + 1 if seed is None else seed
        self.state_of_game = self._new_game(seed=self._seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.state_of_game.to_act]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent's seat may know."""
        state, seat = self.state_of_game, self.possible_agents.index(agent)
        acts = state.to_act == seat
        mask = state.mask() if acts else bytes(len(state.game.actions))
        return {
            "observation": np.array(state.observation(seat), np.int8),
            "action_mask": np.frombuffer(mask, np.int8).copy(),
        }

    def step(self, action: int | None) -> None:
        """Take the action of the agent that is selected; None once the game is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        state = self.state_of_game
        state.apply(-1 if action is None else int(action))
        if state.is_over:
            scores = state.returns()
            self.rewards = {agent: float(scores[n]) for n, agent in enumerate(self.agents)}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.agents[state.to_act]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The question of the seat that is to act."""
        over = self.state_of_game.is_over
        return None if self.render_mode is None or over else self.state_of_game.question()

    def close(self) -> None:
        """Nothing is held open."""
