"""The referee: faults, strikes, replays, and whose fault is whose."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from card_arena.common.faults import Fault, FaultEvent
from card_arena.tables.blackjack import Blackjack
from card_arena.tables.blackjack.table import Options
from card_arena.tables.dealing import Packs
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.record import Record
from card_arena.tables.referee import BadRecord, Strikes, play, replay
from card_arena.tables.registry import game
from card_arena.tests.tables.scripted import Always, Rigged, Said, Scripted

GAME = Blackjack()


def round_of(*players, strikes=None, packs=("K 6 9 7 5 A T 2",), **options):
    extra = {} if strikes is None else {"strikes": strikes}
    return play(GAME, Options(**options), players, Rigged(list(packs)), **extra)


def test_a_malformed_and_an_illegal_answer_are_told_apart_and_quoted():
    record = round_of(Scripted([("17 K7 9#K675 10 190", "what?")]), Always("B 500"), hands=1)
    malformed, illegal = (record.turns[number] for number, _, _ in record.faults)
    assert (malformed.fault.kind, malformed.answer) == ("malformed", "what?")
    assert malformed.question == "17 K7 9#K675 10 190"
    assert (illegal.fault.kind, illegal.answer) == ("illegal", "B 500")
    assert (
        fault_text(illegal.fault, illegal.answer)
        == "not allowed now: expected S, H, D or B 1 to B 190"
    )


@pytest.mark.parametrize("kind", ["timeout", "crash", "flood", "memory", "malformed"])
def test_a_fault_of_the_program_becomes_the_fallback_action_answer_and_a_strike(kind):
    reply = Said(None, kind, "memory", {"bytes": 7}, wall=1_000_000, cpu=3, peak=4096)
    record = round_of(Always(reply), hands=1)
    turn = record.turns[1]
    assert (turn.action, turn.answer) == ("S", None)
    assert (turn.wall, turn.cpu, turn.peak) == (1_000_000, 3, 4096)
    assert (turn.fault.kind, turn.fault.code, turn.fault.facts) == (kind, "memory", {"bytes": 7})
    assert turn.fault.struck


def test_of_long_and_unprintable_answers_the_fault_repeats_little_and_escaped():
    line = "\x1b[31m" + "x" * 5000
    record = round_of(Always(line), hands=1)
    (number, _, fault), *_ = record.faults
    assert record.turns[number].answer == line
    text = fault_text(fault, line)
    assert "\x1b" not in text
    assert "x" * 100 not in text


def test_the_line_is_kept_as_it_came():
    record = round_of(Always(" s\t"), hands=1)
    (turn,) = (turn for turn in record.turns if turn.question)
    assert (turn.action, turn.answer, turn.fault) == ("S", " s\t", None)


def test_only_who_is_asked_has_a_question_in_the_record():
    record = round_of(Always("B 500"), Always("S"), strikes=Strikes(limit=1))
    ((last, _, _),) = record.faults
    for number, turn in enumerate(record.turns):
        assert bool(turn.question) == (turn.seat == 1 or number == last)


def test_what_a_bot_wrote_on_standard_error_is_shown_to_who_watches_and_is_in_no_record():
    steps = []
    said = Said("S", stderr="a secret of its author")
    record = play(GAME, Options(hands=1), [Always(said)], Rigged(["K 6 9 7"]), watch=steps.append)
    assert "a secret of its author" in [step.stderr for step in steps]
    assert "secret" not in json.dumps(record.to_data())


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


def test_notices_reach_every_seat():
    one, two = Always("S"), Always("S")
    round_of(one, two, hands=1)
    assert one.told == two.told == ["hand 1 9AK675"]


def test_a_record_survives_json():
    record = round_of(Always("B 500"), Always(Said(None, "crash", "exit", {"exit": 3})))
    assert Record.from_data(json.loads(json.dumps(record.to_data()))) == record


def test_a_record_of_another_format_is_refused_by_name():
    data = round_of(Always("S")).to_data()
    for written in (2, 4):
        with pytest.raises(ValueError, match=f"it is written in format {written} of records"):
            Record.from_data(data | {"format": written})


def test_what_was_played_for_a_seat_that_is_out_is_no_choice_of_anybodys():
    record = round_of(Always("B 500"), strikes=Strikes(limit=1))
    ((last, _, _),) = record.faults
    number = next(n for n, turn in enumerate(record.turns) if n > last and turn.seat == 0)
    with pytest.raises(BadRecord, match=f"turn {number} .* 'H', but 'S' stands in"):
        list(replay(GAME, forged(record, number, action="H")))
    with pytest.raises(BadRecord, match=f"turn {number} .* the rules ask ''"):
        list(replay(GAME, forged(record, number, question="17 A6 9#A6 10 190", answer="S")))


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
        (lambda r: forged(r, 1, question="17 A6 9#A6 10 190"), "turn 1 .* the question '17 A6"),
        (lambda r: forged(r, 1, question=""), "turn 1 .* the question '', the rules ask '17"),
        (lambda r: forged(r, 0, question="K"), "turn 0 .* the question 'K', the rules ask ''"),
        (lambda r: forged(r, 1, answer="H"), "turn 1 .* plays 'S' where the answer was 'H'"),
        (lambda r: forged(r, 1, answer="?"), "turn 1 .* plays 'S' where the answer was '\\?'"),
        (lambda r: forged(r, 1, answer=None), "turn 1 .* plays 'S' where the answer was ''"),
        (lambda r: forged(r, 1, fault=FaultEvent(Fault.ILLEGAL, "")), "turn 1 .* 'S' was allowed"),
    ],
)
def test_a_record_that_was_tampered_with_is_refused(change, complaint):
    record = change(round_of(Always("S"), Always("S")))
    with pytest.raises(BadRecord, match=complaint):
        list(replay(GAME, record))


def _other_action(record, number, action):
    return forged(record, number, action=action)


def forged(record, number, **changes):
    turns = list(record.turns)
    turns[number] = turns[number]._replace(**changes)
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
    complaint = f"turn {number} of the record plays 'H', but 'S' stands in for an answer"
    with pytest.raises(BadRecord, match=complaint):
        list(replay(GAME, forged(record, number, action="H")))
