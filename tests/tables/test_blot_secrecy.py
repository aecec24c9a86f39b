"""What a seat may know at blot, stated from the rules by a model that never asks the code."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from card_arena.tables.blot.answers import Penalty
from card_arena.tables.blot.phases import Bidding, Playing
from card_arena.tables.blot.rules import (
    BELOTE,
    PACK,
    Declaration,
    Finished,
    Options,
    declaration_text,
)
from card_arena.tables.cards import cards, listed
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tests.tables.blot_deals import GAME
from card_arena.tests.tables.blot_model import Model

TABLES = {
    "default": {},
    "paper": GAME.presets["paper"].model_dump(exclude_defaults=True),
    "blot star": {
        "auction_end": "three_passes",
        "recontra_by": "declarer",
        "capot_level": 8,
        "belote_overlap": True,
        "defenders_share": "rounded",
    },
    "bots announce": {"declare": "bot", "first_dealer": "seat_0"},
    "bots announce, belote overlaps": {"declare": "bot", "belote_overlap": True},
    "open hands": {"open_hands": True, "revoke": "substitute"},
    "lenient": {"undertrump": "free", "trump_over_partner": "higher", "loser_belote": "kept"},
    "rounded": {"fulfil": "rounded", "decl_counts_for_contract": False, "target": 101},
}


def positions(seed: int, **options):
    """The positions of a random game, with the model that has heard all that led there.

    Hands come from packs in which declarations are as frequent as without them. Now and then
    somebody revokes.
    """
    rng = random.Random(seed)
    table = Options(max_deals=6, **options)
    phase, model = GAME.start(table, 4), Model(table)
    notices = ()
    while not isinstance(phase, Terminal):
        yield phase, model, notices
        choice = phase.legal_actions(phase.to_act)
        if isinstance(choice, Order):
            action = _rich(rng) if rng.random() < 0.5 else choice.sample(rng)
        elif isinstance(phase, Playing) and table.revoke == "round" and rng.random() < 0.004:
            action = Penalty.REVOKE
        else:
            action = choice.sample(rng)
        model.act(phase.to_act, phase.write(action))
        phase, notices = phase.apply(action)
    yield phase, model, notices


def _rich(rng: random.Random):
    """A pack in which many cards of a suit or a rank lie together, as it comes from a table."""
    by_rank = sorted(PACK, key=lambda card: card.rank) if rng.random() < 0.5 else list(PACK)
    for _ in range(12):
        one, other = rng.sample(range(32), 2)
        by_rank[one], by_rank[other] = by_rank[other], by_rank[one]
    fours = [by_rank[at : at + 4] for at in range(0, 32, 4)]
    halves = [*fours[::2], *fours[1::2]]  # a hand gets two groups that lay side by side
    return tuple(card for group in halves for card in group)


def compare(seeds, **options) -> int:
    """Hold every question, the notices and the end of random games against the model."""
    asked = 0
    for seed in seeds:
        for phase, model, notices in positions(seed, **options):
            assert [str(item) for item in notices] == model.told
            if isinstance(phase, Terminal):
                assert model.over
                assert phase.scores == (*model.scores, *model.scores)
                continue
            assert phase.to_act == model.asked_seat
            if phase.to_act != CHANCE:
                assert words(phase.question(phase.to_act)) == model.question()
                asked += 1
    return asked


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_a_question_holds_what_the_rules_allow_and_nothing_else(options):
    assert compare(range(25), **options) > 2000


def _hidden_shuffled(phase, seat: int, rng: random.Random):
    """The same position to a seat, with the cards that it hasn't seen dealt anew to the others."""
    others = [one for one in range(4) if one != seat]
    unseen = [card for one in others for card in phase.hands[one]]
    rng.shuffle(unseen)
    hands = list(phase.hands)
    for one in others:
        hands[one] = tuple(unseen.pop() for _ in phase.hands[one])
    return phase._replace(hands=tuple(hands))


def _declared_anew(phase: Playing, seat: int) -> Playing:
    """The same position to a seat, with other declarations where the others' are not public.

    What was announced but not shown keeps its class and gets other cards; what was not announced
    is exchanged for something else.
    """
    declared = list(phase.declared)
    for other in range(4):
        played = 8 - len(phase.hands[other])
        public = [
            one for one in phase.declared[other] if one.kind == BELOTE and one in phase.said(other)
        ]
        if other == seat or played >= 2:
            continue
        if played == 1:
            changed = [
                one._replace(cards=cards("AD KD QD"))
                for one in phase.declared[other]
                if one.kind != BELOTE
            ]
            declared[other] = (*changed, *public)
        else:
            declared[other] = (Declaration("H", cards("AC KC QC JC TC"), 100),)
    return phase._replace(declared=tuple(declared))


@pytest.mark.parametrize("declare", ["auto", "bot"])
def test_cards_that_a_seat_has_not_seen_change_no_question(declare):
    rng = random.Random(9)
    changed = {Bidding: 0, Playing: 0}
    for seed in range(30):
        for phase, *_ in positions(seed, declare=declare):
            if not isinstance(phase, Bidding | Playing):
                continue
            seat = phase.to_act
            other = _hidden_shuffled(phase, seat, rng)
            if isinstance(phase, Playing):
                phase = _without_silent_belotes(phase)
                other = _declared_anew(other._replace(declared=phase.declared), seat)
            changed[type(phase)] += other != phase
            assert other.question(seat) == phase.question(seat)
    assert min(changed.values()) > 500


def _without_silent_belotes(phase: Playing) -> Playing:
    """The position as if nobody held a belote that has not been announced."""
    declared = [
        tuple(one for one in phase.declared[seat] if one.kind != BELOTE or one in phase.said(seat))
        for seat in range(4)
    ]
    return phase._replace(declared=tuple(declared))


class TestPlantedLeaks:
    """The comparison notices every leak that somebody might build into the questions."""

    def leak(self, monkeypatch, change, phases=(Bidding, Playing)):
        for phase in phases:
            honest = phase.question

            def leaky(self, seat, honest=honest):
                return change(self, seat, honest(self, seat))

            monkeypatch.setattr(phase, "question", leaky)

    def noticed(self, **options):
        with pytest.raises(AssertionError):
            compare(range(25), **options)

    def test_the_partners_hand(self, monkeypatch):
        def change(phase, seat, question):
            return replace(question, hand=listed(phase.hands[(seat + 2) % 4]))

        self.leak(monkeypatch, change)
        self.noticed()

    def test_open_hands_on_a_table_without(self, monkeypatch):
        def change(phase, seat, question):
            return replace(question, hands="/".join(map(listed, phase.hands)))

        self.leak(monkeypatch, change, (Playing,))
        self.noticed()

    def test_declarations_before_they_are_announced(self, monkeypatch):
        monkeypatch.setattr(Playing, "said", lambda self, seat: self.declared[seat])
        self.noticed()

    def test_the_cards_of_a_declaration_before_they_are_shown(self, monkeypatch):
        def public(self):
            for step in range(4):
                seat = (self.sheet.first + step) % 4
                for one in self.said(seat):
                    yield declaration_text(seat, one)

        monkeypatch.setattr(Playing, "_public", public)
        self.noticed()

    def test_a_belote_that_nobody_has_played(self, monkeypatch):
        def said(self, seat):
            return self.declared[seat] if len(self.hands[seat]) < 8 else ()

        monkeypatch.setattr(Playing, "said", said)
        self.noticed()

    def test_the_legal_cards_of_somebody_else(self, monkeypatch):
        def change(phase, seat, question):
            return replace(question, legal=listed(phase.hands[(seat + 1) % 4]))

        self.leak(monkeypatch, change, (Playing,))
        self.noticed()

    def test_a_hand_in_the_notices_of_a_deal_that_everybody_passed(self, monkeypatch):
        honest = Finished.notices

        def notices(self):
            told = honest(self)
            return told if self.contract else replace(told, declarations=listed(PACK[:8]))

        monkeypatch.setattr(Finished, "notices", notices)
        self.noticed()
