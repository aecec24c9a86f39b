"""What a seat of French tarot may know, stated from the rules by the model and not by the code."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from card_arena.tables.cards import TRUMP, Card, cards, listed
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.tarot import Tarot
from card_arena.tables.tarot.messages import DealOff
from card_arena.tables.tarot.phases import Bidding, Discarding, Playing, Shuffling
from card_arena.tables.tarot.rules import Deal
from card_arena.tests.tables import look_alikes, tarot_model
from card_arena.tests.tables.tarot_model import PACK, packed

GAME = Tarot()
TABLES = (
    {},
    {"dog": "hidden", "petite": False},
    {"chelem_by": "any", "poignees": "10/13/15", "redeals": 1},
    {"half_points": "kept", "open_hands": True},
)


class Followed:
    """A random game with the model beside it, which sees the pack and hears the answers."""

    def __init__(self, seed, **options):
        self.rng = random.Random(seed)
        self.options = GAME.options(**options)
        self.scores = [0, 0, 0]
        self.number, self.again, self.dealer = 1, 0, 2
        self.deal = None

    def pack(self):
        """Often somebody holds so many trumps that there are poignées and forced discards."""
        rest = self.rng.sample(PACK, 78)
        trumps = [card for card in rest if card[0] == "A"]
        kings = ["KC", "KD", "KH", "KS"]
        many = [*kings, *trumps[:20]] if self.rng.random() < 0.6 else trumps[:15]
        hands = ["", "", ""]
        if self.rng.random() < 0.4:
            hands[self.rng.randrange(3)] = " ".join(many)
        return packed(*hands, rest=rest)

    def questions(self):
        """Every phase in which a seat is asked, and what the model expects it to be told."""
        phase = GAME.start(self.options, 3)
        while not isinstance(phase, Terminal):
            seat = phase.to_act
            if seat == CHANCE:
                order = self.pack()
                self.deal = tarot_model.Deal.dealt(order, self.dealer, self.options)
                phase, _ = phase.apply(cards(" ".join(order)))
                if isinstance(phase, Shuffling):
                    assert self.deal.petit_sec
                    self.deal_again()
                continue
            kind = {Bidding: "bid", Discarding: "discard", Playing: "play"}[type(phase)]
            number = f"{self.number}/{self.options.deals}"
            yield phase, self.deal.question(seat, kind, self.scores, number)
            choice = phase.legal_actions(seat)
            action = choice.sample(self.rng)
            if kind == "bid" and self.rng.random() < 0.8:  # most deals shall have a discard
                action = choice.actions[0 if self.deal.contract else self.rng.randrange(2)]
            self.heard(seat, kind, phase.write(action))
            phase, _ = phase.apply(action)

    def heard(self, seat, kind, said):
        deal = self.deal
        if kind == "bid":
            deal.said.append(said)
            if len(deal.said) < 3:
                return
            if deal.contract is None:
                if self.again < self.options.redeals:
                    self.deal_again()
                else:
                    self.next_deal()
                return
            if deal.takes_dog:
                hand = deal.hands[deal.taker] + deal.dog
                deal.hands[deal.taker] = sorted(hand, key=PACK.index)
            else:
                deal.begin_play()
        elif kind == "discard":
            deal.discard = said.split(",")
            deal.hands[seat] = [card for card in deal.hands[seat] if card not in deal.discard]
            deal.begin_play()
        else:
            deal.play(seat, said)
            if not any(deal.hands):
                marks = deal.score()[2]
                self.scores = [a + b for a, b in zip(self.scores, marks, strict=True)]
                self.next_deal()

    def deal_again(self):
        self.dealer, self.again = (self.dealer + 1) % 3, self.again + 1

    def next_deal(self):
        self.dealer, self.again, self.number = (self.dealer + 1) % 3, 0, self.number + 1


def compare(games, **options):
    """Compare word for word in so many games; the number of questions of each phase."""
    asked = Counter()
    for seed in range(games):
        for phase, expected in Followed(seed, deals=4, **options).questions():
            assert list(words(phase.question(phase.to_act))) == expected
            asked[expected[1]] += 1
            asked["trumps put away"] += expected[3] != expected[7] and expected[10] != "-"
            asked["poignée"] += expected[11] != "-"
    return asked


@pytest.mark.parametrize("options", TABLES, ids=lambda o: " ".join(o) or "official")
def test_a_question_holds_what_the_rules_allow_and_nothing_else(options):
    asked = compare(12, **options)
    assert asked["play"] > 2500
    assert asked["bid"] > 100
    assert asked["discard"] > 15
    assert asked["poignée"] > 50
    assert asked["trumps put away"] > 20


@pytest.mark.parametrize("options", TABLES[:3], ids=lambda o: " ".join(o) or "official")
def test_cards_that_a_seat_cannot_see_change_no_question(options):
    changed = Counter()
    for seed in range(5):
        rng = random.Random(seed)
        for phase, _ in Followed(seed, deals=4, **options).questions():
            other = look_alikes.tarot(phase, phase.to_act, rng)
            assert other.question(phase.to_act) == phase.question(phase.to_act)
            changed[type(phase)] += other != phase
    assert changed[Playing] > 700
    assert changed[Bidding] > 30
    assert changed[Discarding] > 0


def test_nobody_is_asked_while_the_dealer_has_the_cards():
    with pytest.raises(LookupError):
        GAME.start(GAME.options(), 3).question(0)


def leak(name):
    """Give something away, as a mistake in the rules' code might."""

    def someone_elses_hand(self, seat, real=Playing.question):
        question = real(self, seat)
        object.__setattr__(question, "hand", listed(self.hands[(seat + 1) % 3]))
        return question

    def bids_show_the_dog(self, seat, real=Bidding.question):
        question = real(self, seat)
        object.__setattr__(question, "dog", listed(self.dog))
        return question

    def the_discard(self, seat):
        return self.discard

    def the_discards_honours(self, seat):
        public = [c for c in self.discard if c.suit == TRUMP or c.rank in "QNJ"]
        return self.discard if seat == self.taker else tuple(public)

    def the_dog(self, seat):
        return self.dog

    def the_hidden_dog(self, seat):
        return self.dog if self.takes_dog else ()

    def a_card_of_the_next_seat(self, seat, real=Playing.question):
        question = real(self, seat)
        if card := next(iter(self.hands[(seat + 1) % 3]), None):
            object.__setattr__(question, "trick", f"{question.trick}{Card.__str__(card)}")
        return question

    return {
        "someone else's hand": (Playing, "question", someone_elses_hand),
        "a card of the next seat": (Playing, "question", a_card_of_the_next_seat),
        "the dog while bidding": (Bidding, "question", bids_show_the_dog),
        "the discard": (Deal, "discard_seen_by", the_discard),
        "honours of the discard": (Deal, "discard_seen_by", the_discards_honours),
        "the dog under sans and contre": (Deal, "dog_seen_by", the_dog),
        "a dog that is not shown": (Deal, "dog_seen_by", the_hidden_dog),
    }[name]


@pytest.mark.parametrize(
    "name",
    [
        "someone else's hand",
        "a card of the next seat",
        "the dog while bidding",
        "the discard",
        "honours of the discard",
        "the dog under sans and contre",
        "a dog that is not shown",
    ],
)
def test_the_comparison_notices_a_planted_leak(name, monkeypatch):
    monkeypatch.setattr(*leak(name))
    with pytest.raises(AssertionError):
        compare(6, dog="hidden")


def hear_notices():
    """Compare the cards in the notices of random deals with those played; count the notices."""
    rng = random.Random(5)
    phase, told = GAME.start(GAME.options(deals=30), 3), 0
    while not isinstance(phase, Terminal):
        choice = phase.legal_actions(phase.to_act)
        action = choice.sample(rng)
        if isinstance(phase, Bidding):
            action = choice.actions[rng.randrange(2)]  # low bids, so that there is a discard
        following, notices = phase.apply(action)
        for item in notices:
            played = set()
            if isinstance(phase, Playing):
                played = {card for trick in phase.after(action).tricks for card in trick.cards}
            named = set(str(item).replace("/", ",").replace(":", ",").replace(" ", ",").split(","))
            assert named.intersection(PACK) == set(map(str, played))
            told += 1
        phase = following
    return told


def test_the_notices_of_a_deal_name_no_card_that_was_not_played():
    assert hear_notices() >= 30


def test_a_public_deal_is_noticed(monkeypatch):
    honest = Shuffling.dealt

    def public(phase, order):
        following, notices = honest(phase, order)
        return following, (*notices, DealOff(1, listed(order)))

    monkeypatch.setattr(Shuffling, "dealt", public)
    with pytest.raises(AssertionError):
        hear_notices()


def test_a_discard_among_the_notices_is_noticed(monkeypatch):
    honest = Playing.apply

    def telling(phase, action):
        following, notices = honest(phase, action)
        put = listed(phase.deal.discard)
        return following, [replace(item, history=f"{item.history}/{put}") for item in notices]

    monkeypatch.setattr(Playing, "apply", telling)
    with pytest.raises(AssertionError):
        hear_notices()
