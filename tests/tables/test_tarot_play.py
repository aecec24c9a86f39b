"""French tarot against its model: legal sets, tricks, scores, and the trees of its endings."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from card_arena.tables.cards import TAROT_PACK, cards
from card_arena.tables.dealing import Packs
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.tarot import Tarot
from card_arena.tables.tarot.messages import DealOver
from card_arena.tables.tarot.phases import Discarding, Playing
from card_arena.tables.tarot.rules import (
    MULTIPLIERS,
    NEEDED,
    Count,
    discards,
    in_order,
    playable,
    result,
    winning_place,
)
from card_arena.tests.tables.tarot_model import PACK, Deal, may_play, packed, takes

GAME = Tarot()


def hand_and_trick(rng):
    """A hand of any length, and up to two other cards before it."""
    size, before = rng.randint(1, 24), rng.randint(0, 2)
    held = rng.sample(TAROT_PACK, size + before)
    return tuple(held[before:]), tuple(held[:before])


def test_the_legal_cards_are_those_that_every_duty_allows():
    rng = random.Random(1)
    seen = Counter()
    for _ in range(40_000):
        hand, trick = hand_and_trick(rng)
        allowed = [card for card in hand if may_play(card, hand, trick)]
        assert sorted(playable(hand, trick)) == sorted(allowed)
        assert allowed
        seen[len(trick), len(allowed) == len(hand)] += 1
    assert min(seen[before, free] for before in (1, 2) for free in (True, False)) > 800


def test_the_highest_trump_takes_a_trick_else_the_highest_card_of_the_suit_led():
    rng = random.Random(2)
    for _ in range(20_000):
        trick = tuple(rng.sample(TAROT_PACK, 3))
        assert winning_place(trick) == takes(0, trick)


def test_a_discard_takes_plain_cards_first_and_never_a_king_or_a_bout():
    rng = random.Random(3)
    forced = 0
    for _ in range(4000):
        likely = rng.choice((0, 0.96))  # some takers hold nearly all kings and trumps
        first = [card for card in TAROT_PACK if card.suit == "A" or card.rank == "K"]
        first = [card for card in first if rng.random() < likely]
        rest = rng.sample([card for card in TAROT_PACK if card not in first], 30 - len(first))
        hand = in_order((*first, *rest))
        plain = {c for c in hand if c.suit in "CDHS" and c.rank != "K"}
        pick = discards(hand)
        for action in (pick.fallback_action, pick.sample(rng)):
            assert action in pick
            assert len(action) == 6
            trumps = {card for card in action if card.suit == "A"}
            assert action - trumps <= plain
            assert not trumps or plain < action
            assert not trumps & set(cards("A1 A21"))
        assert frozenset(pick.cards[:6]) in pick
        forced += len(plain) < 6
    assert forced > 100


def played_deals(seed, **options):
    """Whole games at random: every deal's model at its end, with the notices that the rules made.

    Two packs in three are dealt so that somebody holds very many trumps.
    """
    rng = random.Random(seed)
    chosen = GAME.options(**options)
    phase, deal = GAME.start(chosen, 3), None
    while not isinstance(phase, Terminal):
        choice = phase.legal_actions(phase.to_act)
        if phase.to_act == CHANCE:
            rest = rng.sample(PACK, 78)
            trumps = [card for card in rest if card[0] == "A" or card == "EX"]
            hands = ["", "", ""]
            hands[rng.randrange(3)] = " ".join(trumps[: rng.choice((0, 14, 20))])
            order = packed(*hands, rest=rest)
            deal = Deal.dealt(order, phase.sheet.dealer, chosen)
            action = cards(" ".join(order))
        else:
            action = choice.sample(rng)
            if deal.contract is None and rng.random() < 0.5:
                action = phase.read("pass")
        seat, said = phase.to_act, phase.write(action)
        following, notices = phase.apply(action)
        if isinstance(phase, Playing):
            deal.play(seat, said)
            if notices:
                yield deal, notices[0]
        elif isinstance(phase, Discarding):
            deal.discard = said.split(",")
            deal.hands[seat] = [str(card) for card in following.hands[seat]]
        elif seat != CHANCE:
            deal.said.append(said)
        if isinstance(following, Playing) and not isinstance(phase, Playing):
            deal.begin_play()
            assert following.leader == deal.leader
        phase = following


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"excuse_last": "to_winner", "poignees": "10/13/15"},
        {"half_points": "kept", "chelem_by": "any"},
        {"reach": "more", "petite": False},
    ],
    ids=lambda options: " ".join(map(str, options.values())) or "official",
)
def test_every_deal_scores_as_all_cards_put_on_two_heaps_do(options):
    seen = Counter()
    for seed in range(14):
        for deal, notices in played_deals(seed, **options):
            assert isinstance(notices, DealOver)
            points, bouts, marks = deal.score()
            assert float(notices.points) == points
            assert notices.bouts == bouts
            assert notices.marks == ",".join(map(str, marks))
            assert sum(marks) == 0
            seen["poignée"] += bool(deal.shown)
            seen["petit au bout"] += "A1" in deal.tricks[-1][1]
            seen["late Excuse"] += "EX" in deal.tricks[-1][1]
            seen[deal.contract.rstrip("!")] += 1
    assert min(seen.values()) > 0, seen
    assert {"poignée", "petit au bout", "late Excuse", "garde", "sans", "contre"} <= set(seen)


def test_prices_are_those_of_the_official_formula_for_all_contracts_and_points():
    for contract, times in MULTIPLIERS.items():
        for bouts, needed in enumerate(NEEDED):
            for half_points in range(183):
                price = result(contract, Count(half_points, bouts)).price
                missing = 2 * needed - half_points
                by = -(-abs(missing) // 2)
                assert price == (25 + by) * times * (1 if missing <= 0 else -1)


def ending(seed, left):
    """A random deal with so many cards left in every hand, and its model."""
    rng = random.Random(seed)
    options = GAME.options(deals=1)
    start = GAME.start(options, 3)
    order = Packs(seed.to_bytes(32, "big"), "ending").deal(start.legal_actions(CHANCE))
    deal = Deal.dealt(list(map(str, order)), 2, options)
    phase, _ = start.apply(order)
    while True:
        if isinstance(phase, Playing) and not phase.trick and len(phase.hands[0]) == left:
            return phase, deal
        seat, choice = phase.to_act, phase.legal_actions(phase.to_act)
        said = phase.write(choice.sample(rng))
        if isinstance(phase, Playing):
            deal.play(seat, said)
        elif isinstance(phase, Discarding):
            deal.discard = said.split(",")
            held = {*deal.hands[seat], *deal.dog}.difference(deal.discard)
            deal.hands[seat] = sorted(held, key=PACK.index)
        else:
            said = ("garde", "pass", "pass")[len(deal.said)]
            deal.said.append(said)
        phase, _ = phase.apply(phase.read(said))
        if isinstance(phase, Playing) and not phase.tricks and not phase.trick:
            deal.begin_play()


def leaves(phase):
    """The scores of all ways to play on by the rules."""
    if isinstance(phase, Terminal):
        yield phase.scores
        return
    for card in phase.legal_actions(phase.to_act).actions:
        yield from leaves(phase.apply(card)[0])


def model_leaves(deal):
    """The same by the model, which undoes what it has tried."""
    if not any(deal.hands):
        yield tuple(deal.score()[2])
        return
    seat = (deal.leader + len(deal.trick)) % 3
    hand = deal.hands[seat]
    for card in [card for card in hand if may_play(card, hand, deal.trick)]:
        leader, trick = deal.leader, list(deal.trick)
        deal.hands[seat] = [other for other in hand if other != card]
        deal.trick = [*trick, card]
        done = len(deal.trick) == 3
        if done:
            winner = takes(leader, deal.trick)
            deal.tricks.append((leader, deal.trick, winner))
            deal.leader, deal.trick = winner, []
        yield from model_leaves(deal)
        if done:
            deal.tricks.pop()
        deal.leader, deal.trick = leader, trick
        deal.hands[seat] = hand


@pytest.mark.parametrize(("left", "deals"), [(2, 40), (3, 12)])
def test_all_ways_to_play_an_ending_come_to_the_same_scores(left, deals):
    sizes = set()
    for seed in range(deals):
        phase, deal = ending(seed, left)
        by_rules, by_model = Counter(leaves(phase)), Counter(model_leaves(deal))
        assert by_rules == by_model
        sizes.add(by_rules.total())
    assert len(sizes) > 3


@pytest.mark.parametrize(
    ("hands", "endings"),
    [
        # Three suits apart: every order of each hand, all leads lead to all cards: 2 * 2 * 2.
        (("1C 2C", "1D 2D", "1H 2H"), 8),
        # All of one suit: nobody has a duty but to follow.
        (("1C 4C", "2C 5C", "3C 6C"), 8),
        # Trumps must go over: A10 forces 11 and 12; A1 leaves both free to go over it or not.
        (("A1 A10", "A2 A11", "A3 A12"), 4),
        # A club must be followed; with a diamond led both go free.
        (("1C 1D", "2C 2H", "3C 3H"), 5),
        # Behind the Excuse the next card is free and leads, here to a club or a diamond.
        (("1C EX", "2C 2D", "3C 3D"), 3),
        # The Excuse need not follow: 1C or EX under a club.
        (("2C 2D", "1C EX", "3C 3D"), 4),
    ],
)
def test_the_tree_of_two_cards_each_is_as_large_as_counted_by_hand(hands, endings):
    played, _ = ending(0, 2)
    phase = played._replace(hands=tuple(map(cards, hands)), leader=0)
    assert len(list(leaves(phase))) == endings
