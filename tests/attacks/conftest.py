"""What all tests of attacks share."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from card_arena.tests.attacks import pairs
from card_arena.tests.attacks.corpus import install
from card_arena.tests.attacks.places import Field


@pytest.fixture(scope="session")
def field() -> Iterator[Field]:
    """All attacks, compiled and laid out once for all tests of this process."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        bot = install(Path(folder, "bot"))
        shutil.copy(pairs.SOURCE, bot)
        with closing(Field(bot)) as opened:
            yield opened
