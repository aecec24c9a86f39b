"""What the terminal shows while several seasons are being played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.text import Text

from card_arena.commands import progress
from card_arena.commands.console import Printer
from card_arena.commands.progress import Screen
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import begin, play_tables, submitted
from card_arena.tournament.play.season import Headway


class Terminal(StringIO):
    """Keeps what is drawn on it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    yield store
    store.close()


@pytest.fixture
def seasons(store: Store) -> tuple[Season, Season]:
    """Two seasons that are being played; eight matches of the first are stored."""
    bots = [submitted(store, name) for name in ("davey", "lim17", "chatty", "silent")]
    first, second = begin(store, "ladder", bots), begin(store, "friday", bots)
    play_tables(store, first, range(1, 5), [bots])
    return first, second


def test_a_line_now_and_then_says_of_each_season_how_far_it_is_and_what_is_left(
    store: Store,
    seasons: tuple[Season, Season],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    ladder, friday = seasons
    with Screen(store, Printer()) as screen:
        screen.begins(ladder, again=False)
        screen.begins(friday, again=True)
        screen.advances(Headway(ladder, 8, 16, at_most=True, decisions=80, faults=2, forgiven=0))
        screen.advances(Headway(friday, 1, None, at_most=False, decisions=10, faults=0, forgiven=0))
        screen.stops("friday")
        screen.advances(Headway(ladder, 9, 15, at_most=True, decisions=90, faults=5, forgiven=3))
        screen.ends(ladder)
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines() if " decisions/s" in line]
    assert lines[0].startswith("ladder: 8 of at most 24 matches, ")
    assert lines[0].endswith(" decisions/s, 2 faults, less than a minute left")
    assert lines[1].startswith("friday: 1 match, ")
    assert lines[1].endswith(" decisions/s, 0 faults")
    assert lines[2].startswith("ladder: 9 of at most 24 matches, ")
    assert " decisions/s, 2 faults and 3 forgiven, " in lines[2]
    assert "friday, season 1 resumes" in said
    assert re.search(r"ladder, season 1 \(.*running", said)


def test_a_narrow_terminal_shows_the_whole_name_of_each_tournament(
    store: Store, seasons: tuple[Season, Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder, _ = seasons
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "50")
    with Screen(store, Printer()) as screen:
        screen.begins(ladder, again=False)
        screen.advances(Headway(ladder, 8, 16, at_most=True, decisions=80, faults=2, forgiven=0))
    plain = Text.from_ansi(terminal.getvalue()).plain
    assert re.search(r"^ladder +\S+ +8 of at most 24 .*…$", plain, re.MULTILINE), plain


def test_seasons_that_begin_after_all_have_ended_are_shown_too(
    store: Store, seasons: tuple[Season, Season], capsys: pytest.CaptureFixture[str]
) -> None:
    with Screen(store, Printer()) as screen:
        for season in seasons:
            screen.begins(season, again=False)
            screen.ends(season)
        screen.stops("a tournament of which no season was begun")
    assert capsys.readouterr().out.count("season 1 begins") == 2
