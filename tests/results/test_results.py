from dataclasses import replace

import pytest

from card_arena.common.faults import Fault, FaultEvent
from card_arena.ratings.match_results import Scorecard, scorecard
from card_arena.results.stored_match import Difference, differences
from card_arena.tables.record import Record, Turn
from card_arena.tests.results.made import made_record


def with_answer(record: Record, answer: str) -> Record:
    turn = Turn(0, "pass", "ask", answer, fault=FaultEvent(Fault.CRASH, "output-closed"))
    return replace(record, turns=(*record.turns, turn))


def alone(*records: Record) -> Scorecard:
    """What the games come to in which everybody plays for himself and keeps his seat."""
    everybody = tuple(range(records[0].seats))
    return scorecard(records, (everybody,) * len(records), everybody)


def test_a_seat_that_was_struck_out_comes_last_whatever_it_scored():
    record = made_record([90, 10, 20], faults={0: ["crash"] * 2}, struck_out=[0])
    tallies = alone(record).tallies
    assert [tally.rank for tally in tallies] == [3, 2, 1]
    assert [tally.struck_out for tally in tallies] == [True, False, False]


def test_equal_scores_share_a_rank():
    assert [tally.rank for tally in alone(made_record([5, 7, 5, 1])).tallies] == [2, 1, 2, 4]


def test_a_seat_that_is_struck_out_takes_no_more_decisions():
    record = made_record([1, 2], faults={0: ["crash", "timeout"]}, struck_out=[0])
    first, second = alone(record).tallies
    assert (first.decisions, first.faults) == (2, 2)
    assert (second.decisions, second.faults) == (3, 0)


def test_a_fault_that_is_forgiven_counts_as_a_fault_and_strikes_nobody_out():
    record = made_record([1, 2], faults={0: ["timeout", "crash"]}, forgiven=["timeout"])
    first, second = alone(record).tallies
    assert (first.decisions, first.faults, first.forgiven, first.struck_out) == (3, 2, 1, False)
    assert second.forgiven == 0


def test_the_slowest_answer_is_the_longest_of_all_records():
    tallies = alone(made_record([1, 2], wall=10), made_record([1, 2], wall=700)).tallies
    assert [tally.slowest for tally in tallies] == [700, 701]


def test_several_records_add_up_and_leave_nobody_a_purse():
    records = [
        made_record([3, 5], purses=[103, 105]),
        made_record([9, 1], purses=[112, 106], faults={1: ["illegal"]}),
    ]
    first, second = alone(*records).tallies
    assert (first.score, first.purse, first.hands, first.rank) == (12, None, 10, 1)
    assert (second.score, second.purse, second.hands) == (6, None, 10)
    assert [(p.record, p.seat, f.kind) for p, f in alone(*records).faults] == [(1, 1, "illegal")]


def test_a_game_that_carries_nothing_leaves_no_purses():
    assert [tally.purse for tally in alone(made_record([1, 2])).tallies] == [None, None]


def test_a_fault_is_listed_with_its_question_and_what_it_took():
    ((place, _),) = alone(made_record([1, 2], faults={1: ["timeout"]})).faults
    assert (place.question, place.answer) == ("ask 1 0", "?")
    assert (place.wall, place.cpu, place.peak) == (1001, 7, 4096)


def test_of_a_long_text_the_beginning_is_listed():
    record = with_answer(made_record([1, 2]), "x" * 10_000)
    ((place, _),) = alone(record).faults
    assert place.answer == "x" * 79 + "…"


def test_text_that_a_database_refuses_is_made_harmless():
    record = with_answer(made_record([1, 2]), "a\0b\ud800c")
    ((place, _),) = alone(record).faults
    assert place.answer == "a\\x00b\\ud800c"


def test_a_number_that_differs_is_named_with_its_place():
    derived = alone(made_record([3, 5], faults={1: ["illegal"]}))
    wrong = replace(derived.tallies[0], hands=4)
    stored = replace(derived, tallies=(wrong, derived.tallies[1]), faults=())
    key = "friday/0001/t01/r1/a"
    tally, fault = differences(key, stored, derived)
    assert tally == Difference(f"{key}, seat 0", "hands", 4, 5)
    assert str(tally) == "friday/0001/t01/r1/a, seat 0: hands is stored as 4, but is 5"
    assert fault.where == f"{key}, fault at turn 2 of game 1"
    assert fault.stored is None
    assert isinstance(fault.derived, dict)
    assert (fault.derived["kind"], fault.derived["seat"]) == ("illegal", 1)
    assert not list(differences("key", derived, derived))


PARTNERS = ((0, 1, 0, 1), (1, 0, 1, 0))
"""Two bots that hold both seats of their sides, and then each other's."""


def test_who_holds_both_seats_of_a_side_gets_its_score_once():
    records = [
        made_record([30, 7, 30, 7]),
        made_record([5, 90, 5, 90]),
    ]
    first, second = scorecard(records, PARTNERS, (0, 1)).tallies
    assert (first.seat, first.score, first.hands) == (0, 30 + 90, 10)
    assert (second.seat, second.score, second.hands) == (1, 7 + 5, 10)
    assert (first.rank, second.rank) == (1, 2)


def test_the_answers_of_all_seats_count():
    records = [made_record([3, 1, 3, 1], faults={2: ["crash"]}), made_record([3, 1, 3, 1])]
    derived = scorecard(records, PARTNERS, (0, 1))
    first, second = derived.tallies
    assert (first.decisions, first.faults, first.slowest) == (12, 1, 1003)
    assert (second.decisions, second.faults, second.slowest) == (12, 0, 1003)
    ((place, _),) = derived.faults
    assert (place.record, place.seat, place.entrant) == (0, 2, 0)


def test_a_fault_in_a_turned_seat_is_that_of_who_sat_there():
    records = [made_record([3, 1, 3, 1]), made_record([3, 1, 3, 1], faults={2: ["crash"]})]
    derived = scorecard(records, PARTNERS, (0, 1))
    assert [tally.faults for tally in derived.tallies] == [0, 1]
    ((place, _),) = derived.faults
    assert (place.record, place.seat, place.entrant) == (1, 2, 1)


def test_a_side_of_which_one_seat_was_struck_out_comes_last():
    record = made_record([90, 10, 90, 10], faults={2: ["crash"]}, struck_out=[2])
    first, second = scorecard([record], PARTNERS[:1], (0, 1)).tallies
    assert (first.rank, first.struck_out) == (2, True)
    assert (second.rank, second.struck_out) == (1, False)


def test_the_partner_of_a_bot_that_was_struck_out_comes_last_with_it():
    record = made_record([90, 10, 90, 10], faults={2: ["crash"]}, struck_out=[2])
    tallies = scorecard([record], ((0, 1, 2, 3),), (0, 1, 0, 1)).tallies
    assert [tally.rank for tally in tallies] == [2, 1, 2, 1]
    assert [tally.struck_out for tally in tallies] == [False, False, True, False]


def test_only_the_answers_before_it_was_struck_out_count_in_a_seat():
    record = made_record([9, 1, 9, 1], faults={2: ["crash"] * 2}, struck_out=[2])
    first, _ = scorecard([record], PARTNERS[:1], (0, 1)).tallies
    assert (first.decisions, first.faults) == (3 + 2, 2)


@pytest.mark.parametrize("seatings", [(), ((0, 1, 2),), ((0, 0),), ((0, None),), ((0, 1), (0, 1))])
def test_seatings_that_do_not_go_with_the_records_are_refused(seatings):
    with pytest.raises((LookupError, TypeError, ValueError)):
        scorecard([made_record([1, 2], faults={1: ["crash"]})], seatings, (0, 1))
