#!/usr/bin/env python3
"""Fit the success curves of BIS to the nils in the arena's records.

    .venv/bin/python scripts/spades_curves.py
    .venv/bin/python scripts/spades_curves.py --database sqlite:///var/arena.db --tournament NAME

The first plays 12,000 rounds of four explorers (`lib/explorer.py`) with the arena's referee, from
packs that a seed decides; the second reads the records of a tournament among `spades-explorer`. It
prints the numbers that belong into `lib/curves.py`.
"""

import argparse
import sys
from contextlib import closing
from math import log
from pathlib import Path
from types import SimpleNamespace

from leaderboard.store import Store
from tables.dealing import Packs
from tables.referee import play, replay
from tables.registry import game

sys.path.insert(0, str(Path(__file__).parents[1] / "bots" / "spades"))  # for its lib

from lib import srp
from lib.cards import winning
from lib.curves import features, logistic
from lib.explorer import Explorer
from lib.nil_value import nil_value
from lib.pair import pair
from lib.table import Table

SPADES = game("spades")


class Seated:
    """A program that is asked in this process."""

    def __init__(self, answer):
        self.answer = answer

    def ask(self, words):
        """Answer, in no time and without a fault."""
        line = self.answer(list(words))
        return SimpleNamespace(line=line, fault=None, detail="", stderr="", wall=0, cpu=0, peak=0)

    def tell(self, line):
        """Take no notice."""


def self_play(rounds, seed):
    """Play games of four explorers, one round each, and give their records."""
    players = [Seated(pair(Explorer(), srp))] * 4
    options = SPADES.options(max_rounds=1)
    for number in range(rounds):
        yield play(SPADES, options, players, Packs(seed.to_bytes(32, "big"), str(number)))


def stored(url, tournament):
    """Read the records of all seasons of a tournament."""
    with closing(Store(url)) as store:
        for season in store.seasons(tournament):
            for result in store.results(season.id):
                yield from store.records(result.key)


def nils(records):
    """Give for every nil that was bid on cards seen its features and whether it succeeded."""
    for record in records:
        bid = {}
        for step in replay(SPADES, record):
            turn = step.turn
            if turn.question and turn.action == "0" and turn.fault is None:
                table = Table(turn.question.split())
                if table.phase == "bid":
                    bid[turn.seat] = features(nil_value(table.hand), table.before)
            for news in step.news:
                took = _takers(str(news).split()[3])
                for seat, given in bid.items():
                    yield given, seat not in took
                bid = {}


def _takers(history):
    """Find the seats that took a trick of a round."""
    words = ["spades", "play", "-", "0", "0", "-", "-,-,-,-", history, "-", "0,0,0,0"]
    table = Table([*words, "0,0", "0,0", "500", "-"])
    return {(leader + cards.index(winning(cards))) % 4 for leader, cards in table.history}


def fit(rows, size, steps=25, ridge=1e-3):
    """Find the weights of the most likely curve by Newton's method; `ridge` keeps it in bounds."""
    weights = [0.0] * size
    for _ in range(steps):
        gradient = [-ridge * weight for weight in weights]
        curvature = [[ridge * (i == j) for j in range(size)] for i in range(size)]
        for given, success in rows:
            chance = logistic(weights, given)
            spread = chance * (1 - chance)
            for i in range(size):
                gradient[i] += (success - chance) * given[i]
                for j in range(size):
                    curvature[i][j] += spread * given[i] * given[j]
        weights = [w + s for w, s in zip(weights, solved(curvature, gradient), strict=True)]
    return weights


def solved(matrix, right):
    """Solve a system of linear equations by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k, row in enumerate(rows):
            if k != i:
                rows[k] = [value - row[i] * top for value, top in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


def loss(rows, weights):
    """Find the mean logarithmic loss of a curve."""
    chances = [(logistic(weights, given), success) for given, success in rows]
    return -sum(log(p if success else 1 - p) for p, success in chances) / len(rows)


def main():
    """Play or read, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database")
    parser.add_argument("--tournament", default="spades-nils")
    given = parser.parse_args()
    records = (
        stored(given.database, given.tournament)
        if given.database
        else self_play(given.rounds, given.seed)
    )
    rows = list(nils(records))
    print(f"{len(rows)} nils, {sum(success for _, success in rows)} of them made")
    for name, size in (("BY_BIDS", 8), ("SINGLE", 3)):
        weights = fit(rows, size, steps=8)
        numbers = ", ".join(f"{weight:.3f}" for weight in weights)
        print(f"{name} = ({numbers})  # loss {loss(rows, weights):.4f}")


if __name__ == "__main__":
    main()
