"""Pictures of a season, in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from card_arena.commands.actions.standings import standings
from card_arena.formats.field import Placing
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import begin, submitted
from card_arena.tests.leaderboard.web.panel_examples import cross_table, thresholds


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path}/arena.sqlite")) as store:
        yield store


@pytest.mark.parametrize(
    ("draw", "lines"),
    [
        (
            cross_table,
            [
                "davey v1 is surely ahead of chatty v1 (+3.00 ± 2.25), silent v1 (+4.50 ± 2.25)",
                "lim17 v1 is surely ahead of silent v1 (+3.00 ± 2.25)",
            ],
        ),
        (
            thresholds,
            [
                "pass <b> (-2.50), reached: davey v1",
                "pass <b> (-2.50), perhaps: lim17 v1",
                "pass <b> (-2.50), not reached: chatty v1",
                "good (as good as silent v1), perhaps: davey v1, lim17 v1, chatty v1",
            ],
        ),
    ],
)
def test_standings_say_in_a_terminal_what_the_pictures_show(store, capsys, draw, lines):
    bots = [submitted(store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(store, "drawn", bots)
    panel = draw([bot.id for bot in bots])
    store.save_standings(season.id, [Placing(bots[0].id, 1, 2.5)], [panel.to_data()])
    standings("drawn", None, lambda: store)
    found = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in found if line in lines] == lines
    store.save_standings(season.id, [], [{"kind": "of the future"}])
    standings("drawn", None, lambda: store)
