"""The library of the tarot bots, held against the arena's rules in games played at random."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace

import pytest

from card_arena.tables.cards import TAROT_PACK
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tables.tarot.phases import Playing
from card_arena.tables.tarot.rules import POIGNEES, playable, winning_place
from card_arena.tests.bots.tarot_lib import LIB, asked, cards
from card_arena.tests.tables.scripted import random_steps

TAROT = game("tarot")
NUMBERS, NAMES = LIB.cards.NUMBERS, LIB.cards.NAMES
TABLES = [
    {"deals": 6},
    {"deals": 3, "chelem_by": "any", "dog": "hidden"},
    {"deals": 3, "petit_sec": "ignore", "poignees": "10/13/15"},
]


def numbers(played) -> list[int]:
    return [NUMBERS[str(card)] for card in played]


def plays(seed: int, **options):
    """Every decision of the play, with the phase of its deal in which all cards are played."""
    steps = random_steps(TAROT, 3, seed, **options)
    found = []
    for step in steps:
        if step.turn.seat == CHANCE or not isinstance(step.before, Playing):
            continue
        found.append((step.before, step.before.read(step.turn.action)))
        if len(step.before.tricks) == 23 and len(step.before.trick) == 2:
            ended = step.before.after(found[-1][1])
            yield from ((before, action, ended) for before, action in found)
            found = []


GAMES = [
    (before, action, ended)
    for seed, options in enumerate(TABLES)
    for before, action, ended in plays(seed, **options)
]
"""Some 850 decisions; games at random have all contracts, poignées and Excuses."""


def asked_of(before):
    return LIB.table.parse(words(before.question(before.to_act)))


def test_cards_have_the_names_and_the_order_of_the_pack():
    assert tuple(map(str, TAROT_PACK)) == NAMES
    assert sum(LIB.cards.WORTH) == 182


def test_a_question_is_parsed_into_what_the_table_knows():
    for before, _, _ in GAMES:
        question, seat = asked_of(before), before.to_act
        assert question.phase == "play"
        assert (question.seat, question.taker) == (seat, before.deal.taker)
        assert question.contract == before.deal.call.contract
        assert question.chelem == before.deal.call.chelem
        assert question.defence_chelem == bool(before.deal.defence_announced)
        assert question.hand == numbers(before.hands[seat])
        assert question.trick == (before.leader, numbers(before.trick))
        assert question.history == [(t.leader, numbers(t.cards)) for t in before.tricks]
        assert question.shown == [(who, numbers(shown)) for who, shown in before.shown]
        assert question.dog == numbers(before.deal.dog_seen_by(seat))
        assert question.discard == numbers(before.deal.discard_seen_by(seat))


def test_bids_and_discards_are_parsed():
    question = LIB.table.parse(asked("bid", "pass,garde,garde!", hand="KS,EX", taker="-"))
    assert question.legal == ["pass", "garde", "garde!"]
    assert question.taker is None
    assert question.hand == cards("KS EX")
    assert LIB.table.parse(asked("discard", "1C,2C", hand="1C,2C,KS")).legal == cards("1C 2C")


def test_the_legal_cards_and_the_winner_are_those_of_the_rules():
    """Over hands and tricks dealt at random, which are wilder than those of games."""
    rng = random.Random(3)
    pack = list(LIB.cards.PACK)
    for _ in range(6000):
        dealt = rng.sample(pack, rng.randint(1, 26))
        trick, hand = dealt[:2][: rng.randint(0, 2)], sorted(dealt[2:]) or [dealt[-1]]
        if set(hand) & set(trick):
            continue
        expected = playable(
            tuple(TAROT_PACK[card] for card in hand), tuple(TAROT_PACK[card] for card in trick)
        )
        assert sorted(LIB.play.legal(LIB.cards.by_suit(hand), trick)) == sorted(numbers(expected))
        if trick:
            whole = [*trick, hand[0]]
            place = winning_place(tuple(TAROT_PACK[card] for card in whole))
            assert LIB.play.winning_place(whole) == place


def position_of(before):
    """The true position, made from what the seat to act is asked and the hands it does not see."""
    question = asked_of(before)
    position = LIB.play.Position(
        [LIB.cards.by_suit(numbers(hand)) for hand in before.hands],
        question.history[0].leader if question.history else question.trick.leader,
        question.taker,
    )
    position.count(numbers(before.deal.aside))
    for card in question.played:
        position.put(card)
    return question, position


def priced(question, position, shown):
    return position.price(
        question.contract,
        poignees=shown,
        chelem=question.chelem,
        defence_chelem=question.defence_chelem,
    )


def shown_worth(ended):
    sizes = ended.deal.sheet.options.poignee_sizes
    return sum(POIGNEES[sizes.index(len(shown))] for _, shown in ended.shown)


def test_a_deal_played_on_from_any_decision_comes_to_what_the_table_says():
    for before, _, ended in GAMES[::5]:
        question, position = position_of(before)
        rest = [card for trick in ended.tricks for card in trick.cards][len(question.played) :]
        for card in numbers(rest):
            assert card in LIB.play.legal(position.hands[position.to_act], position.trick)
            position.play(card)
        assert priced(question, position, shown_worth(ended)) == ended.result().price


class Told(LIB.play.Position):
    """A position that remembers the cards that were played on it."""

    def __init__(self, position):
        for name in LIB.play.Position.__slots__:
            setattr(self, name, getattr(position, name))
        self.cards = []

    def put(self, card):
        self.cards.append(card)
        super().put(card)


def test_a_deal_played_out_at_random_is_legal_and_comes_to_what_the_table_says():
    rng = random.Random(5)
    for before, _, _ in GAMES[::11]:
        question, position = position_of(before)
        told, table = Told(position), before
        told.roll_out(rng.random)
        for card in told.cards:
            action = table.read(NAMES[card])
            assert action in table.legal_actions(table.to_act)
            table = table.after(action)
        assert not any(table.hands)
        assert priced(question, told, shown_worth(table)) == table.result().price


@pytest.mark.parametrize(
    ("hand", "trick"),
    [
        ("1C 2C KC A3 EX", "TC"),
        ("1C 2C A3 A9 A12 EX", "TD A7"),
        ("1C A3 A5", "TD A7"),
        ("1C 2D 3H EX", "TS A2"),
        ("1C 2D 3D A4 A5 EX", ""),
        ("1C 2D 3D A4", "EX"),
        ("1C 2D A1 A4", "A2 EX"),
    ],
)
def test_a_roll_out_plays_each_legal_card_as_often_as_any(hand, trick):
    rng = random.Random(7)
    held, trick = cards(hand), cards(trick)
    counts = Counter(
        LIB.play._random_card(LIB.cards.by_suit(held), trick, rng.random) for _ in range(4000)
    )
    legal = LIB.play.legal(LIB.cards.by_suit(held), trick)
    assert sorted(counts) == sorted(legal)
    mean = 4000 / len(legal)
    assert all(abs(count - mean) < 6 * mean**0.5 for count in counts.values())


def test_the_excuse_takes_the_last_trick_of_a_chelem_and_the_petit_the_one_before():
    """The taker leads the Excuse last, and has won 23 tricks, the last one with the petit."""
    hands = [LIB.cards.by_suit(cards(hand)) for hand in ("A1 EX", "2C 3C", "4C 5C")]
    position = LIB.play.Position(hands, 0, 0)
    position.finished = position.swept = 22
    for card in cards("A1 2C 4C EX 3C 5C"):
        position.play(card)
    assert position.swept == 24
    assert position.petit == 1
    assert position.bouts == 2
    assert position.half_points == 9 + 2 + 9 + 2
    # Two bouts need 41 points; 11 are 30 too few, twice for the garde; the petit and 400.
    assert position.price("garde", chelem=True) == -(25 + 30) * 2 + 20 + 400


# What a seat knows


def test_the_true_deal_is_never_excluded_and_every_deal_agrees_with_all_that_is_known():
    for before, _, _ in GAMES[::3]:
        question = asked_of(before)
        known = LIB.knowledge.Knowledge(question)
        seats = [seat for seat in range(3) if seat != question.seat]
        truth = {seat: set(numbers(before.hands[seat])) for seat in seats}
        aside = before.deal.discard or before.deal.dog
        truth[LIB.knowledge.ASIDE] = set(numbers(aside)) - set(question.discard)
        hidden = set(known.places)
        for place, lie_there in truth.items():
            assert all(place in known.places[card] for card in lie_there & hidden)
            assert len(lie_there & hidden) == known.room.get(place, 0)
        dealer = LIB.deals.Dealer(known, seed=1)
        for _ in range(3):
            dealt = dealer.deal()
            assert {place: len(held) for place, held in dealt.items()} == known.room
            assert sorted(card for held in dealt.values() for card in held) == sorted(hidden)
            for place, held in dealt.items():
                assert all(place in known.places[card] for card in held)


def known(**said):
    """What seat 0, a defender with 24 cards, knows where the taker is seat 1 or as it is said."""
    said = {"taker": 1, "hand": ",".join(NAMES[2:14] + NAMES[60:72])} | said
    return LIB.knowledge.Knowledge(LIB.table.parse(asked("play", "3C", **said)))


def possible(known, card):
    return known.places[NUMBERS[card]]


def test_who_does_not_follow_is_void_and_who_has_no_trump_either_has_none():
    knowledge = known(history="1:1S,1D,3C", hand=",".join(NAMES[3:14] + NAMES[60:72]))
    assert possible(knowledge, "2S") == {1, 3}
    assert possible(knowledge, "A21") == {1}
    assert possible(knowledge, "1H") == {1, 2, 3}


def test_who_stays_below_a_trump_has_none_above_it():
    knowledge = known(history="1:A18,A2,A5", hand=",".join(NAMES[2:14] + NAMES[61:72]))
    assert possible(knowledge, "A19") == {1}
    assert possible(knowledge, "A17") == {1, 2}


def test_a_trump_below_an_earlier_one_in_the_trick_of_a_suit_tells_a_void_and_a_ceiling():
    knowledge = known(history="0:3C,A18,A2", hand=",".join(NAMES[3:14] + NAMES[60:72]))
    assert possible(knowledge, "1C") == {3}
    assert possible(knowledge, "A20") == {1}


def test_the_excuse_tells_nothing():
    knowledge = known(history="1:1S,EX,3C", hand=",".join(NAMES[3:14] + NAMES[60:72]))
    assert possible(knowledge, "2S") == {1, 2, 3}
    assert possible(knowledge, "A21") == {1, 2}


def test_the_dog_went_to_the_taker_who_put_away_neither_its_king_nor_its_trumps():
    knowledge = known(dog="KD,5D,A1,A20,EX,6S")
    assert possible(knowledge, "5D") == {1, 3}
    assert all(possible(knowledge, card) == {1} for card in ("KD", "A1", "A20", "EX"))
    assert possible(knowledge, "KS") == {1, 2}


def test_a_taker_that_put_trumps_away_has_no_plain_cards_but_kings():
    knowledge = known(discard="A2,A3")
    assert possible(knowledge, "5D") == {2, 3}
    assert possible(knowledge, "KD") == {1, 2}
    assert knowledge.room[LIB.knowledge.ASIDE] == 4


def test_a_poignee_with_the_excuse_shows_all_the_trumps_of_its_seat():
    trumps = ",".join(f"A{n}" for n in (1, 2, 3, *range(17, 20)))
    knowledge = known(shown=f"2:{trumps},EX")
    assert possible(knowledge, "A17") == {2}
    assert possible(knowledge, "A21") == {1}


def test_every_deal_is_as_likely_as_any_other():
    """Five cards, of which two can't lie in the place for one: three times six deals."""
    places = {card: {1, 2} if card < 2 else {1, 2, 3} for card in range(5)}
    few = SimpleNamespace(places=places, room={1: 2, 2: 2, 3: 1})
    dealer = LIB.deals.Dealer(few, seed=4)
    drawn = Counter(
        tuple(tuple(sorted(held)) for _, held in sorted(dealer.deal().items())) for _ in range(9000)
    )
    assert dealer.ways == len(drawn) == 18
    assert all(abs(count - 500) < 6 * 500**0.5 for count in drawn.values())
