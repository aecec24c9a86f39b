"""The library of the blot bots: it reads what the arena asks and knows the arena's rules."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from card_arena.tables.blot.phases import Bidding, Playing
from card_arena.tables.blot.rules import POINTS, Options, playable, winner
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.tables.scripted import random_steps

BLOT = game("blot")
LIB = house.library("blot")
TABLES = {
    "standard": {},
    "open hands": {"open_hands": True, "declare": "bot"},
    "contra": {"capot_level": 8},
}


def decisions(count: int, **options):
    """Positions of games in which everything is done at random, with what is done."""
    found, seed = [], 0
    while len(found) < count:
        for step in random_steps(BLOT, 4, seed, **options):
            if step.turn.seat != CHANCE:
                found.append((step.before, step.turn.action))
        seed += 1
    return found[:count]


def asked(phase):
    return LIB.table.parse(words(phase.question(phase.to_act)))


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_a_question_is_read_as_it_was_meant(options):
    for phase, _ in decisions(1000, **options):
        question = asked(phase)
        assert question.seat == phase.to_act
        assert question.dealer == phase.sheet.dealer
        assert question.hand == phase.hands[phase.to_act]
        assert question.scores == phase.sheet.scores
        assert question.target == 301
        assert question.hands == (phase.hands if options.get("open_hands") else None)
        contract = phase.contract
        if contract is None:
            assert question.contract is None
        else:
            assert question.contract == (*contract.bid, contract.doubled, contract.seat)
        if isinstance(phase, Bidding):
            assert question.calls == phase.calls
        else:
            assert question.trick.leader == phase.leader
            assert question.trick.cards == phase.trick
            assert question.points == phase.points


def test_declarations_are_read_with_the_cards_that_were_shown():
    words = "blot play 8S 0 0 8S,9H P,10S,P,P,P 10S@2 1:B:KS,QS/2:T/3:F:TC,9C,8C,7C - - 0,0 0,0 301"
    assert LIB.table.parse(words.split()).declarations == (
        (1, "B", ("KS", "QS")),
        (2, "T", ()),
        (3, "F", ("TC", "9C", "8C", "7C")),
    )


def test_a_card_is_said_with_all_that_can_be_announced():
    words = "blot play 7S,7S+T,7S+4T,8S,8S+T 0 0 8S,7S P,10S,P,P,P 10S@2 - - - 0,0 0,0 301"
    question = LIB.table.parse(words.split())
    assert question.cards == ("7S", "8S")
    assert question.say("7S") == "7S+4T"


def test_the_rules_of_a_trick_are_the_arenas():
    """Legal cards, winners and points, in 6,000 positions with every strain."""
    rng, options = random.Random(1), Options()
    pack = list(LIB.tricks.order_of("N").name)
    seen = Counter()
    for _ in range(6_000):
        strain = rng.choice("CDHSN")
        order = LIB.tricks.order_of(strain)
        rng.shuffle(pack)
        on_table = rng.randrange(4)
        trick, hand = pack[:on_table], pack[on_table : on_table + rng.randint(1, 8)]
        cards = [_card(one) for one in hand]
        led, best, won = LIB.tricks.standing(order, LIB.table.Trick(0, tuple(trick)))
        mine = LIB.tricks.playable(
            order.mask(hand), led, best, won == (on_table + 2) % 4, order.trumps
        )
        theirs = playable(tuple(cards), [_card(one) for one in trick], strain, options)
        assert sorted(order.names(mine)) == sorted(theirs)
        if trick:
            assert won == winner([_card(one) for one in trick], strain)
            assert best == order.number[trick[won]]
        assert [order.points[order.number[one]] for one in hand] == [
            POINTS[strain][card] for card in cards
        ]
        seen[on_table, strain, len(theirs) == len(hand)] += 1
    assert len(seen) == 4 * 5 * 2 - 5  # a leader may play anything


def _card(name):
    return next(card for card in POINTS["N"] if card == name)


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_the_true_deal_is_never_ruled_out(options):
    """What is inferred is never wrong under the default rules, and the own hand stays."""
    rng, barred = random.Random(2), 0
    for phase, _ in decisions(400, **options):
        if not isinstance(phase, Playing):
            continue
        question = asked(phase)
        order = LIB.tricks.order_of(question.contract.strain)
        unseen = LIB.unseen.look(question)
        hands = [order.mask(hand) for hand in phase.hands]
        everything = sum(hands)
        for seat in unseen.others:
            assert hands[seat] & ~unseen.can_hold[seat] == 0
            barred += (everything & ~hands[question.seat] & ~unseen.can_hold[seat]) > 0
        dealt = unseen.sample(rng)
        assert dealt[question.seat] == hands[question.seat]
        assert sum(dealt) == everything
        for seat in unseen.others:
            assert dealt[seat].bit_count() == hands[seat].bit_count()
            assert dealt[seat] & ~unseen.can_hold[seat] == 0
    assert barred > 200


def play_asked(hand, history, trick="-", contract="10S@0", declarations="-", seat=0):
    cards = hand.replace(" ", ",")
    words = f"blot play {cards} {seat} 3 {cards} P {contract} {declarations} {history} {trick}"
    return LIB.table.parse([*words.split(), "0,0", "0,0", "301"])


@pytest.mark.parametrize(
    ("trick", "seat", "suits", "cards"),
    [
        ("1:AH,7C,8H,9H", 2, "HS", []),
        ("1:AH,7S,8C,9H", 3, "HS", []),  # neither over the seven nor under it
        ("1:7H,8H,AH,9C", 0, "HS", []),
        ("1:TH,7H,9S,8S", 0, "H", ["JS"]),
        ("1:AS,7S,8H,JS", 2, "", ["9S"]),
        ("1:AS,7S,8H,JS", 3, "S", []),
        ("1:AS,7S,8H,JS", 0, "", []),
        ("1:AH,7H,8C,9H", 3, "H", []),  # the partner's ace wins: a trump may be kept
    ],
)
def test_what_somebody_did_not_play_tells_what_it_does_not_have(trick, seat, suits, cards):
    question = play_asked("AD KD QD JD TD 9D 7D", trick, seat=1)
    order = LIB.tricks.order_of("S")
    can = set(order.names(LIB.unseen.look(question).can_hold[seat]))
    free = set(order.name) - set(question.hand) - set(question.history[0].cards)
    assert free - can == {card for card in free if card in cards or card[1] in suits}


def test_who_has_shown_a_card_holds_it():
    question = play_asked(
        "AD KD QD JD TD 9D", "0:8D,7D,7C,8C/0:AH,7H,8H,9H", declarations="2:T:9C,8C,7C/1:B:KS,QS"
    )
    unseen = LIB.unseen.look(question)
    order = LIB.tricks.order_of("S")
    assert [seat for seat in (1, 2, 3) if unseen.can_hold[seat] & order.mask(["9C"])] == [2]
    assert [seat for seat in (1, 2, 3) if unseen.can_hold[seat] & order.mask(["KS"])] == [1]


def test_deals_are_counted_listed_and_drawn_alike():
    """Every deal once, as many as were counted, and drawn equally often, to six sigma."""
    question = play_asked(
        "AD KD",
        "0:7D,8D,9D,TD/0:AH,7H,8H,9H/0:TH,JH,QH,KH/0:AC,7C,8C,9C/0:TC,JC,QC,KC/0:QD,JD,7S,8S",
    )
    unseen = LIB.unseen.look(question)
    deals = list(unseen.deals())
    assert len(deals) == len(set(deals)) == unseen.count
    rng = random.Random(3)
    drawn = Counter(unseen.sample(rng) for _ in range(200 * unseen.count))
    assert set(drawn) == set(deals)
    assert all(abs(times - 200) < 6 * 200**0.5 for times in drawn.values())


def test_where_the_table_plays_by_other_rules_only_missing_suits_are_believed():
    """Where nobody must trump under a trump, somebody without hearts may have kept his trumps."""
    tricks = "3:7H,9S,8C,7D/0:8D,7C,KC,9D"
    unseen = LIB.unseen.look(play_asked("AD KD QD JD AH KH", tricks))
    trumps = LIB.tricks.order_of("S").trumps
    assert unseen.can_hold[1] & trumps
    assert unseen.count == math.comb(12, 6)  # trumps and clubs; the third seat has the red cards
