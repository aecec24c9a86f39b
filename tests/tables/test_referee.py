"""The referee: faults, strikes, replays, and whose fault is whose."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tables.blackjack import Blackjack, Options
from tables.dealing import Packs
from tables.record import Record
from tables.referee import BadRecord, Strikes, play, replay
from tables.registry import game
from tests.tables.scripted import Always, Rigged, Said, Scripted

GAME = Blackjack()


def round_of(*players, strikes=None, packs=("K 6 9 7 5 A T 2",), **options):
    extra = {} if strikes is None else {"strikes": strikes}
    return play(GAME, Options(**options), players, Rigged(list(packs)), **extra)


def test_a_malformed_and_an_illegal_answer_are_told_apart_and_quoted():
    record = round_of(Scripted([("17 K7 9#K675 10 190", "what?")]), Always("B 500"), hands=1)
    (_, _, malformed), (_, _, illegal) = record.faults
    assert (malformed.kind, malformed.answer) == ("malformed", "what?")
    assert malformed.question == "17 K7 9#K675 10 190"
    assert (illegal.kind, illegal.answer) == ("illegal", "B 500")
    assert illegal.detail == "not allowed now: expected S, H, D or B 1 to B 190"


@pytest.mark.parametrize("kind", ["timeout", "crash", "flood", "memory", "malformed"])
def test_a_fault_of_the_program_becomes_the_stand_in_answer_and_a_strike(kind):
    reply = Said(None, kind, "what happened", stderr="last words", wall=1_000_000, cpu=3)
    record = round_of(Always(reply), hands=1)
    turn = record.turns[1]
    assert (turn.action, turn.wall, turn.cpu) == ("S", 1_000_000, 3)
    assert (turn.fault.kind, turn.fault.detail, turn.fault.stderr) == (
        kind,
        "what happened",
        "last words",
    )
    assert turn.fault.struck


def test_long_and_unprintable_answers_are_cut_and_escaped():
    record = round_of(Always("\x1b[31m" + "x" * 5000), hands=1)
    (_, _, fault), *_ = record.faults
    assert fault.answer.startswith("\\x1b[31mxxx")
    assert len(fault.answer) == 80
    assert "x" * 100 not in fault.detail


def test_forgiven_faults_are_recorded_and_count_for_nothing():
    record = round_of(Always("B 500"), strikes=Strikes(forgiven=frozenset({"illegal"})))
    assert [fault.struck for _, _, fault in record.faults] == [False] * 5
    assert record.struck_out == ()


def test_a_struck_out_seat_is_named_whatever_it_won():
    lucky = Always("B 500")
    record = round_of(lucky, Always("S"), packs=("T 5 T K 5 7",), hands=1, strikes=Strikes(limit=1))
    assert record.over.scores == (10, -10)
    assert record.struck_out == (0,)


def test_an_error_of_ours_is_not_a_fault_of_a_bot():
    class Broken:
        def ask(self, words):
            raise OSError("the machine is on fire")

        def tell(self, line):
            pass

    with pytest.raises(OSError, match="on fire"):
        round_of(Broken())


def test_news_reach_every_seat():
    one, two = Always("S"), Always("S")
    round_of(one, two, hands=1)
    assert one.told == two.told == ["hand 1 9AK675"]


def test_a_record_survives_json():
    record = round_of(Always("B 500"), Always(Said(None, "crash", "exited with code 3")))
    assert Record.from_data(json.loads(json.dumps(record.to_data()))) == record


def test_a_replay_ends_where_the_record_does():
    record = round_of(Always("S"), Always("H"))
    steps = list(replay(GAME, record))
    assert [step.turn for step in steps] == list(record.turns)
    assert steps[-1].after == record.over


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda r: replace(r, over=replace(r.over, scores=(999, 0))), "its turns lead to"),
        (lambda r: replace(r, version=99), "version 99"),
        (lambda r: replace(r, turns=r.turns[:-1]), "its turns lead to"),
        (lambda r: _other_action(r, 1, "B 4000"), "turn 1 .* can't be played"),
        (lambda r: _other_action(r, 1, "nonsense"), "turn 1 .* can't be played"),
        (lambda r: _other_action(r, 0, "KCKC"), "turn 0 .* can't be played"),
        (lambda r: _other_action(r, 0, "next"), "turn 0 .* can't be played"),
        (lambda r: replace(r, turns=(r.turns[0], *r.turns)), "out of turn|can't be played"),
    ],
)
def test_a_record_that_was_tampered_with_is_refused(change, complaint):
    record = change(round_of(Always("S"), Always("S")))
    with pytest.raises(BadRecord, match=complaint):
        list(replay(GAME, record))


def _other_action(record, number, action):
    turns = list(record.turns)
    turns[number] = replace(turns[number], action=action)
    return replace(record, turns=tuple(turns))


def forged(record, number, **changes):
    turns = list(record.turns)
    turns[number] = replace(turns[number], **changes)
    return replace(record, turns=tuple(turns))


class Bidder:
    """Opens the auction of blot, and has nothing to say when cards are played."""

    def ask(self, words):
        return Said("8S" if ",8+" in words[2] else "P" if words[1] == "bid" else "?")

    def tell(self, line):
        pass


def test_a_fault_that_was_left_out_of_a_record_is_found():
    """Giving up a round of blot is the price of a fault; nobody may pay it by choice."""
    blot, patient = game("blot"), Strikes(limit=1000)
    record = play(blot, blot.options(), [Bidder()] * 4, Packs(b"s" * 32, "m"), strikes=patient)
    assert list(replay(blot, record))
    number = next(n for n, turn in enumerate(record.turns) if turn.action == "revoke")
    with pytest.raises(BadRecord, match=f"turn {number} of the record was not allowed"):
        list(replay(blot, forged(record, number, fault=None)))


def test_a_fault_that_was_answered_with_something_else_is_found():
    record = round_of(Always("B 500"), hands=1)
    ((number, _, _),) = record.faults
    assert record.turns[number].action == "S"
    with pytest.raises(BadRecord, match=f"turn {number} of the record is a fault, but not what"):
        list(replay(GAME, forged(record, number, action="H")))
