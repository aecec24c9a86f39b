"""Readers of a fixed arena get what they got before, unless a commit changes it on purpose."""

from __future__ import annotations

import difflib
from itertools import islice

import pytest

from card_arena.tests.golden_site import FOLDER, golden


@pytest.mark.timeout(600)
def test_pages_json_and_files_are_as_they_were():
    changed = {name: text for name, text in golden() if (FOLDER / name).read_text() != text}
    lines = [
        line
        for name, text in changed.items()
        for line in islice(
            difflib.unified_diff(
                (FOLDER / name).read_text().splitlines(), text.splitlines(), name, name, n=1
            ),
            40,
        )
    ]
    how = "python -m card_arena.tests.golden_site writes the files again"
    assert not changed, "\n".join([*lines, how])
