"""Blackjack against gymnasium's `Blackjack-v1`: the same cards come to the same, and the same odds.

Three differences are known: there cards are drawn from an endless pack; equal scores give the
stake back, as they do here with `push: return`; and unless it is told otherwise, an ace with a ten
wins over any other 21.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

import pytest

from card_arena.tables.blackjack import Blackjack, phases, table
from card_arena.tables.blackjack.phases import Move, Playing, Settled
from card_arena.tables.blackjack.table import Options
from card_arena.tables.cards import FULL_PACK, Card
from card_arena.tests.needs import need_module

gymnasium = need_module("gymnasium", "gymnasium")
toy_text = need_module("gymnasium.envs.toy_text.blackjack", "gymnasium")

GAME = Blackjack()
STICK, HIT = 0, 1
WORTH = dict(zip("A23456789TJQK", (*range(1, 11), 10, 10, 10), strict=True))


def hand(pack: Sequence[Card], draw_below: int, **options: object) -> Settled:
    """A hand of ours for one seat that draws below a score, dealt from this pack."""
    phase, _ = GAME.start(Options(hands=1, push="return", **options), 1).apply(tuple(pack))
    while isinstance(phase, Playing):
        drawing = 0 < phase.question(0).score < draw_below
        phase, _ = phase.apply(Move.HIT if drawing else Move.STAND)
    assert isinstance(phase, Settled)
    return phase


def their_table():
    return gymnasium.make("Blackjack-v1", sab=False).unwrapped


class Scripted:
    """Stands where gymnasium draws its cards from: they come in this order."""

    def __init__(self, ranks: Sequence[str]) -> None:
        self._values = iter([WORTH[rank] for rank in ranks])

    def choice(self, things: Sequence[object]) -> object:
        return things[0] if isinstance(things[0], str) else next(self._values)


class TestTheSameCards:
    """Hand by hand: what is drawn in our order is drawn there."""

    @pytest.mark.parametrize("draw_below", [12, 15, 17, 19, 21])
    def test_every_hand_comes_to_the_same(self, draw_below):
        rng = random.Random(draw_below)
        env = their_table()
        outcomes = set()
        for _ in range(1500):
            pack = rng.sample(FULL_PACK, 52)
            ours = hand(pack, draw_below).table
            dealer, player = [pack[1], pack[3]], [pack[0], pack[2]]
            env.reset()
            env.np_random = Scripted([card.rank for card in (*dealer, *player, *pack[4:])])
            (total, _, _), _ = env.reset()
            reward, over = 0.0, False
            while not over:
                action = HIT if total < draw_below else STICK
                (total, _, _), reward, over, _, _ = env.step(action)
            assert ours.spots[0].chips - 200 == 10 * reward
            assert table.score(ours.spots[0].cards) == toy_text.score(env.player)
            if toy_text.score(env.player):  # there a dealer does not play against a bust
                assert table.score(ours.dealer) == toy_text.score(env.dealer)
            outcomes.add(reward)
        assert outcomes == {-1.0, 0.0, 1.0}


HANDS = 12_000
ENDLESS = 0.006
"""How far a frequency from a full pack may be from that from an endless one. Worked out exactly, a
dealer's twenties differ most: .1758 against .1803; two cards worth twenty by .0039."""


def frequencies(outcomes: Iterator[tuple[str, int]]) -> dict[tuple[str, int], float]:
    """How often each outcome comes up in a hand."""
    counted = Counter(outcomes)
    return {outcome: count / HANDS for outcome, count in counted.items()}


def theirs() -> Iterator[tuple[str, int]]:
    """What gymnasium's hands come to for who draws below 17, and its dealer against who never does.

    The dealer there only plays against a hand that is not bust, so each is played on its own.
    """
    env = their_table()
    env.reset(seed=2011)
    for _ in range(HANDS):
        (total, _, _), _ = env.reset()
        yield "first two cards", total
        reward, over = 0.0, False
        while not over:
            (total, _, _), reward, over, _, _ = env.step(HIT if total < 17 else STICK)
        yield "player", toy_text.score(env.player)
        yield "chips", int(10 * reward)
        env.reset()
        env.step(STICK)
        yield "dealer", toy_text.score(env.dealer)


def ours(**options: object) -> Iterator[tuple[str, int]]:
    """The same of ours, every hand from a fresh pack."""
    rng = random.Random(2011)
    for _ in range(HANDS):
        spot = hand(rng.sample(FULL_PACK, 52), 17, **options).table.spots[0]
        yield "first two cards", table.score(spot.cards[:2])
        yield "player", table.score(spot.cards)
        yield "chips", spot.chips - 200
        alone = hand(rng.sample(FULL_PACK, 52), 0, **options).table
        yield "dealer", table.score(alone.dealer)


@pytest.fixture(scope="module")
def known() -> dict[tuple[str, int], float]:
    return frequencies(theirs())


def furthest(found: dict[tuple[str, int], float], known: dict[tuple[str, int], float]) -> float:
    """The largest difference of a frequency, in units of what chance and the pack explain.

    The standard error of the difference of two frequencies is taken four times: with the 33
    outcomes here and chance alone, one run in 400 would come out above 1.
    """
    return max(
        abs(found.get(outcome, 0) - known.get(outcome, 0)) / (ENDLESS + 4 * _error(share))
        for outcome in found.keys() | known.keys()
        for share in [max(found.get(outcome, 0), known.get(outcome, 0))]
    )


def _error(share: float) -> float:
    return sqrt(2 * share * (1 - share) / HANDS)


class TestTheSameOdds:
    """The first two cards, totals and busts of dealer and player, hands won, tied and lost."""

    def test_outcomes_are_as_frequent_as_there(self, known):
        found = frequencies(ours())
        assert {what for what, _ in found} == {"first two cards", "player", "dealer", "chips"}
        assert furthest(found, known) < 1

    def test_a_dealer_who_draws_at_17_would_be_noticed(self, known):
        assert furthest(frequencies(ours(dealer_stands_at=18)), known) > 3

    @pytest.mark.parametrize("ace", [1, 11])
    def test_an_ace_that_always_counts_the_same_would_be_noticed(self, known, monkeypatch, ace):
        def wrong(cards: Sequence[Card]) -> int:
            worth = WORTH | {"A": ace}
            total = sum(worth[card.rank] for card in cards)
            return total if total <= 21 else 0

        for module in (table, phases):
            monkeypatch.setattr(module, "score", wrong)
        assert furthest(frequencies(ours()), known) > 1.5
