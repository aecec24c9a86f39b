"""Minimax over sampled deals: it plays by what can be known, and better than by chance."""

from __future__ import annotations

import random
from functools import cache, partial

import pytest

from card_arena.tables.blot.phases import Playing
from card_arena.tables.encoding import words
from card_arena.tests.bots import house
from card_arena.tests.bots.blot_positions import later

program = cache(partial(house.program, "blot"))


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no busy machine end a search before its last deal."""
    monkeypatch.setattr(program("sampler"), "SECONDS", 3600)


def asked(phase) -> list[str]:
    """The question with all hands, as on an open table."""
    return list(words(phase.question(phase.to_act)))


def test_it_answers_alike_whenever_it_is_asked_and_whatever_hands_lie_open():
    phase = later(random.Random(4), 14)
    question = asked(phase)
    answers = {program("sampler").answer(question), program("sampler").answer(question[:-1])}
    assert len(answers) == 1
    assert answers <= set(phase.legal_actions(phase.to_act).actions)


def test_the_hidden_cards_can_be_in_any_hand_that_could_hold_them():
    """Another deal of the hidden cards is the same question, and so the same answer."""
    phase = later(random.Random(5), 13)
    seat, others = phase.to_act, [at for at in range(4) if at != phase.to_act]
    hands = list(phase.hands)
    longest = [at for at in others if len(hands[at]) == max(map(len, hands))][:2]
    hands[longest[0]], hands[longest[1]] = hands[longest[1]], hands[longest[0]]
    swapped = phase._replace(hands=tuple(hands))
    assert swapped.hands[seat] == phase.hands[seat]
    assert program("sampler").answer(asked(swapped)) == program("sampler").answer(asked(phase))


def test_a_card_that_is_best_in_every_deal_is_played():
    """A trick that is lost anyhow gets the seven; the ace may take the last one."""
    tricks = "0:AC,7C,8C,9C/0:TC,JC,QC,KC/0:AD,8D,9D,KD/0:TD,JD,QD,TS/0:8H,9H,7H,TH/3:AS,JS,7S,8S"
    question = f"blot play AH,7D 0 3 AH,7D 8N,P,P,P,P 8N@0 - {tricks} 1:KS,QS,9S 0,0 0,0 301"
    assert program("sampler").answer(question.split()) == "7D"


def test_it_takes_more_than_chance_in_the_last_three_tricks():
    """In truth some 13 points a deal; the standard error is 4."""
    rng, bot, lead = random.Random(6), program("sampler"), 0
    for deal in range(150):
        phase, side = later(rng, 20), deal % 2
        before = phase.points
        while isinstance(phase, Playing):
            card = phase.legal_actions(phase.to_act).sample(rng)
            if phase.to_act % 2 == side:
                card = phase.read(bot.answer(asked(phase)[:-1]))
                assert card in phase.legal_actions(phase.to_act)
            phase = phase.put(card)
        won, lost = (now - was for now, was in zip(phase.points, before, strict=True))
        lead += (won - lost) * (1 - 2 * side)
    assert lead > 0
