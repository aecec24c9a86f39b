"""The sentences of faults."""

from __future__ import annotations

import pytest

from card_arena.common.fault_texts import TEXTS
from card_arena.common.faults import CODES
from card_arena.tables.fault_texts import text_of


def test_every_code_of_a_program_has_a_sentence() -> None:
    assert TEXTS.keys() == CODES.keys()


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("no-answer", {"seconds": 1}),
        ("exit", {}),
        ("unheard", {}),
        ("spades.bid", {"allowed": {"words": 7}}),
        ("whist.bid", {"allowed": {"words": ["1"]}}),
    ],
)
def test_a_fault_that_was_tampered_with_is_shown_as_it_is_stored(code: str, facts: object) -> None:
    assert text_of(code, facts, "1").startswith(f"{code} {{")  # type: ignore[arg-type]
