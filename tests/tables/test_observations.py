"""What a game counts as one seat's observation of another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from card_arena.common.faults import Fault, FaultEvent
from card_arena.tables.dealing import Packs
from card_arena.tables.game import Observation, Terminal
from card_arena.tables.record import Record, Turn
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import Always

OVER = Terminal((0, 0, 0), (1, 1, 1), (0, 0, 0))


def record(game: str, question: str, answer: str, seat: int) -> Record:
    """A game of which one turn is known."""
    turns = (Turn(seat, answer, question, answer),)
    return Record(game, 1, {}, 3, (), turns, (), OVER)


def durak(phase: str, legal: str, answer: str, seat: int) -> Observation:
    question = (
        f"durak {phase} {legal} {seat} 7H,9D,KC H:6H 10 3,4,5 7S-9S 0 1 4 0:7S,1:9S"
        if phase != "attack"
        else f"durak attack {legal} {seat} {legal} H:6H 10 3,4,5 - 0 1 4 -"
    )
    (found,) = GAMES["durak"].statistics.observations(record("durak", question, answer, seat))
    return found


def tarot(trick: str, legal: str, answer: str, seat: int = 2) -> list[Observation]:
    question = (
        f"tarot play {legal} {seat} 0 {legal} pass,garde,pass 1 garde - - - - {trick} 0,0,0 1/4"
    )
    return list(GAMES["tarot"].statistics.observations(record("tarot", question, answer, seat)))


def test_throwing_nothing_in_spares_the_defender() -> None:
    spared, thrown = durak("throw", "9D,done", "done", 2), durak("throw", "9D,done", "9D", 2)
    assert (spared.actor, spared.target, spared.value, thrown.value) == (2, 1, 1.0, 0.0)
    assert spared.stratum == thrown.stratum
    assert durak("give", "9D,done", "done", 2).stratum != spared.stratum


def test_a_low_card_spares_the_one_that_is_attacked() -> None:
    low, middle, high = (durak("attack", "9D,KC,7H", card, 0) for card in ("9D", "KC", "7H"))
    assert [low.value, middle.value, high.value] == [1.0, 0.5, 0.0]
    assert {each.target for each in (low, middle, high)} == {1}


def test_taking_what_could_be_beaten_spares_the_attacker() -> None:
    taken, beaten = durak("defend", "7H,take", "take", 1), durak("defend", "7H,take", "7H", 1)
    assert (taken.target, taken.value, beaten.value) == (0, 1.0, 0.0)


def test_where_there_is_no_choice_nothing_is_counted() -> None:
    question = "durak defend take 1 9D H:6H 10 3,1,5 7S 0 1 4 0:7S"
    assert not list(GAMES["durak"].statistics.observations(record("durak", question, "take", 1)))
    assert tarot("1:KS", "2S", "2S") == []
    assert tarot("1:EX", "2S,3S,QS", "2S") == []
    assert tarot("1:KS", "2S,3S", "2S") == []  # the same gift, and nothing that wins


def test_points_on_a_trick_are_a_gift_to_the_one_that_is_winning_it() -> None:
    (given,), (kept,) = tarot("1:KS", "2S,QS", "QS"), tarot("1:KS", "2S,QS", "2S")
    assert (given.actor, given.target) == (2, 1)
    assert given.value == pytest.approx(3.5 / 4.5)
    assert kept.value == pytest.approx(0.5 / 4.5)
    assert given.stratum == kept.stratum


def test_a_trick_that_is_taken_from_another_one_is_no_gift() -> None:
    (found,) = tarot("0:JS,2S", "5S,KS", "KS")
    assert (found.target, found.value) == (0, 0.0)


def test_a_fallback_action_treats_nobody() -> None:
    found = record("durak", "durak throw 9D,done 2 9D H:6H 9 3,4,5 7S-9S 0 1 4 -", "done", 2)
    failed = found.turns[0]._replace(fault=FaultEvent(Fault.TIMEOUT, "late", struck=True))
    spoilt = replace(found, turns=(failed,))
    assert list(GAMES["durak"].statistics.observations(found))
    assert not list(GAMES["durak"].statistics.observations(spoilt))


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_values_are_shares_and_nobody_treats_itself(name: str) -> None:
    rules = GAMES[name]
    found = play(rules, rules.options(), [Always("?")] * rules.seats[-1], Packs(b"s" * 32, "m"))
    for each in rules.statistics.observations(found):
        assert 0 <= each.value <= 1
        assert each.actor != each.target


def test_partners_may_help_each_other() -> None:
    found = record("durak", "durak throw 9D,done 2 9D H:6H 9 3,4,5 7S-9S 0 1 4 -", "done", 2)
    assert not list(
        GAMES["durak"].statistics.observations(replace(found, options={"partners": True}))
    )
