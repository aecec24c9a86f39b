"""The files that sandboxes are made of, laid out in the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.sandbox.backends import layout
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.tests.full_disk import no_file_larger_than


def test_a_full_disk_below_the_cache_is_one_sentence(tmp_path: Path) -> None:
    layout._pilots_folder.cache_clear()
    with (
        no_file_larger_than(100),
        pytest.raises(BackendMissing, match=r"^/\S+ can't compile the pilot into .+: OSError.*$"),
    ):
        layout._pilots_folder(tmp_path / "pilots")
    assert not [*(tmp_path / "pilots").iterdir()]
