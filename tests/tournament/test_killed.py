"""`arena run`, killed with SIGKILL again and again, ends where an undisturbed run ends.

`python -m card_arena.tests.killed FORMAT --times 30` does the same more often.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from card_arena.formats.registry import FORMATS
from card_arena.tests.killed.harness import attempts, killed_and_calm
from card_arena.tests.killed.small_seasons import SEASONS, SmallTournament
from card_arena.tests.needs import need


def test_every_format_is_killed() -> None:
    assert SEASONS.keys() == FORMATS.keys()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "small",
    [pytest.param(small, id=name) for name, several in SEASONS.items() for small in several],
)
def test_kills_leave_the_standings_of_an_undisturbed_run(
    tmp_path: Path, small: SmallTournament
) -> None:
    need("bwrap")
    need("gcc")
    for number in attempts():
        kills, killed, calm = killed_and_calm(tmp_path / str(number), small, 1, Random())
        assert killed == calm
        if kills:
            break
