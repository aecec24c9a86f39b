"""Train a policy for spades by playing against itself, and write it as a bot.

    python examples/learning/train.py my_bot --minutes 5

It is REINFORCE [Williams 1992]: a linear policy plays many games at a time in all four seats, and
whatever a seat did becomes likelier by the points that its side was ahead in the end.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

import numpy as np

from card_arena.library.encodings import spades
from card_arena.library.envs.vector import VectorEnv

HERE = Path(__file__).parent
GAMES = 512
DECISIONS = 56  # of a round: four bids and 52 cards
RATE = 3e-3


def policy(weights, observations, masks):
    """The probability of each action: a softmax over the legal ones."""
    scores = np.where(masks, observations @ weights, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def round_of(env, weights, rng):
    """Play a round in each game; return its gradient, and the points that a side made."""
    rows, steps = np.arange(GAMES), []
    for _ in range(DECISIONS):
        seen, seats = env.observations.astype(np.float32), env.to_act.copy()
        gradient = -policy(weights, seen, env.masks)
        actions = (np.cumsum(-gradient, axis=1) > rng.random((GAMES, 1))).argmax(axis=1)
        actions = np.where(env.masks[rows, actions], actions, env.masks.argmax(axis=1))
        gradient[rows, actions] += 1  # of the logarithm of the action's probability
        steps.append((seen, seats, gradient))
        env.step(actions)
    ahead = np.clip((env.rewards - np.roll(env.rewards, 1, axis=1)) / 100, -3, 3)
    total = sum(seen.T @ (ahead[rows, seats][:, None] * each) for seen, seats, each in steps)
    return total / (GAMES * DECISIONS), env.rewards.mean()


def train(minutes, seed=0):
    """Return the weights after so many minutes: a row for each feature, a column for an action."""
    env = VectorEnv("spades", GAMES, options={"max_rounds": 1}, seed=seed)
    rng = np.random.default_rng(seed)
    weights = np.zeros((env.game.features, len(env.game.actions)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    begun, step = time.monotonic(), 0
    while (spent := time.monotonic() - begun) < 60 * minutes:
        step += 1
        gradient, points = round_of(env, weights, rng)
        mean = 0.9 * mean + 0.1 * gradient  # Adam [Kingma and Ba 2015]
        square = 0.999 * square + 0.001 * gradient**2
        deviation = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        weights += RATE * mean / (1 - 0.9**step) / deviation
        if step % 50 == 0:
            print(f"{spent:4.0f} s, {step * GAMES} rounds: {points:+.0f} points", flush=True)
    return weights


def write_bot(weights, folder):
    """Write the weights as a bot, with the file that makes observations of questions."""
    shutil.copytree(HERE / "bot", folder, dirs_exist_ok=True)
    shutil.copy(spades.__file__, folder)
    rows = [[round(float(weight), 4) for weight in column] for column in weights.T]
    (folder / "weights.json").write_text(json.dumps(rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where the bot is written")
    parser.add_argument("--minutes", type=float, default=5)
    arguments = parser.parse_args()
    write_bot(train(arguments.minutes), arguments.folder)
    print(f"try it: arena match spades {arguments.folder} bots/spades/random --boards 100")
