"""The kinds of fault."""

from __future__ import annotations

import json

import pytest

from card_arena.common.faults import Fault


def test_there_are_six_kinds_of_fault_in_the_order_in_which_people_read_of_them():
    assert list(Fault) == ["timeout", "crash", "malformed", "illegal", "flood", "memory"]


@pytest.mark.parametrize("kind", Fault)
def test_a_kind_is_its_word_wherever_it_is_kept_or_looked_up(kind: Fault) -> None:
    assert Fault(str(kind)) is kind
    assert json.loads(json.dumps({"kind": kind})) == {"kind": kind.value}
    assert kind in {kind.value}
    assert kind.value in {kind}


@pytest.mark.parametrize("kind", Fault)
def test_each_kind_explains_itself_in_a_few_words_of_its_own(kind: Fault) -> None:
    assert kind.meaning.startswith("it")
    assert [other for other in Fault if other.meaning == kind.meaning] == [kind]


def test_a_word_that_is_no_kind_of_fault_is_refused():
    with pytest.raises(ValueError, match="'sloth' is not a valid Fault"):
        Fault("sloth")
