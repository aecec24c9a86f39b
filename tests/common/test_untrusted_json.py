"""JSON of strangers: what is read, and what is refused in a sentence."""

from __future__ import annotations

import pytest

from card_arena.common.json import DEEPEST, BadJson, read_json


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 1500, "nested deeper than 100 levels"),
        ("[" * 1_000_000, "nested deeper than 100 levels"),
        ('{"a":' * 1500 + "1" + "}" * 1500, "nested deeper than 100 levels"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested deeper than 100 levels"),
        ("9" * 5000, "4300 digits"),
        ("1e999", "the number 1e999 is too large"),
        ("-1e999", "the number -1e999 is too large"),
        ("NaN", "NaN is not JSON"),
        (r'"\ud800"', "half of a surrogate pair"),
        (r'{"\udfff": 1}', "half of a surrogate pair"),
        (r'[{"a": ["\ud800x"]}]', "half of a surrogate pair"),
        (b"\xff", "it is not UTF-8"),
        ("", "Expecting value"),
        ('"' + "x" * 100_000, "Unterminated string"),
    ],
)
def test_what_nobody_can_use_is_refused_in_a_sentence(text: str | bytes, complaint: str):
    with pytest.raises(BadJson, match=complaint):
        read_json(text)


def test_brackets_in_texts_are_no_levels_and_pairs_are_signs():
    assert read_json(r'["\"[[[[", "' + "[{" * 1000 + '"]') == ['"[[[[', "[{" * 1000]
    assert read_json(rb'"\ud83c\udca1"') == "\U0001f0a1"
    assert read_json("[" * DEEPEST + "]" * DEEPEST)
    assert read_json("\ufeff1".encode()) == 1
