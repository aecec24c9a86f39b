"""Who may import whom, and that the arena stays without a game's name where it must."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tables.registry import GAMES

TOP = Path(__file__).parent.parent
OURS = (
    *("commands", "tables", "sandbox", "tournament", "leaderboard"),
    *("bots", "experiments", "arena", "common"),
)
MAY_IMPORT = {
    "tables": {"tables", "common"},
    "sandbox": {"sandbox", "common"},
    "leaderboard": {"leaderboard", "tables", "common"},
    "tournament": {"tournament", "tables", "sandbox", "leaderboard", "common"},
    "commands": {"commands", "tables", "sandbox", "leaderboard", "tournament", "common"},
    "bots": set(),
}


# What measures an experiment reads records and results: it plays nothing and opens no store.
A_MEASURE_MAY_IMPORT = (
    "tables",
    "leaderboard.statistics.intervals",
    "tournament.experiments.measures",
)


def imports(file: Path) -> Iterator[str]:
    yield from imported(ast.walk(ast.parse(file.read_text())))


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_each_part_imports_only_what_it_may(package):
    # Python 3 can't parse Python 2; a bot of it has nothing of ours to import.
    files = [each for each in (TOP / package).rglob("*.py") if each.parent.name != "python2"]
    if package == "sandbox":
        files += (TOP / "sandbox" / "languages" / "python2").glob("*.py")
    assert files
    for file in files:
        foreign = {name.split(".")[0] for name in imports(file)} & set(OURS)
        if package == "bots":
            foreign &= {*OURS} - {"bots", "experiments"}
        assert foreign <= MAY_IMPORT[package], f"{file} imports {foreign - MAY_IMPORT[package]}"


def test_the_tournament_never_imports_the_web_and_the_web_never_runs_bots():
    for file in (TOP / "tournament").rglob("*.py"):
        assert not any(name.startswith("leaderboard.web") for name in imports(file)), file


def test_a_measure_imports_what_it_reads_and_what_it_gives_and_nothing_that_plays():
    measures = [*(TOP / "experiments").glob("*.py"), *(TOP / "experiments").glob("*/*.py")]
    assert measures
    for file in measures:
        for name in imports(file):
            if name.split(".")[0] in OURS:
                assert name.startswith(A_MEASURE_MAY_IMPORT), f"{file} imports {name}"


def test_the_bots_of_an_experiment_import_nothing_of_ours():
    for file in (TOP / "experiments").glob("*/bots/**/*.py"):
        assert not {name.split(".")[0] for name in imports(file)} & {*OURS}, file


def test_matplotlib_is_imported_by_who_draws_alone_and_when_something_is_drawn():
    """It takes a second to import, and a server or another command must do without it."""
    for part in ("arena.py", *OURS[:5], "experiments"):
        files = [TOP / part] if part.endswith(".py") else (TOP / part).rglob("*.py")
        for file in {*files} - {TOP / "tournament" / "experiments" / "plots.py"}:
            assert not any(name.split(".")[0] == "matplotlib" for name in imports(file)), file
            assert "tournament.experiments.plots" not in imported(
                ast.parse(file.read_text()).body
            ), file


def test_nothing_below_the_command_line_draws_in_a_terminal():
    for part in OURS:
        for file in (TOP / part).rglob("*.py"):
            if part != "commands":
                assert not any(name.split(".")[0] == "rich" for name in imports(file)), file


def test_the_tables_are_pure():
    forbidden = {"os", "socket", "subprocess", "time", "pathlib", "threading", "secrets", "psutil"}
    for file in (TOP / "tables").rglob("*.py"):
        assert not {name.split(".")[0] for name in imports(file)} & forbidden, file


@pytest.mark.parametrize("part", ["commands", "sandbox", "tournament", "leaderboard"])
def test_no_game_is_named_outside_its_rules(part):
    for file in [*(TOP / part).rglob("*.py"), *(TOP / part).rglob("*.js")]:
        text = file.read_text().lower()
        assert not [name for name in GAMES if name in text], file


@pytest.mark.parametrize(
    "file", ["referee.py", "record.py", "manual.py", "drawing.py", "dealing.py"]
)
def test_the_referee_knows_no_game_by_name(file):
    text = (TOP / "tables" / file).read_text().lower()
    assert not [name for name in GAMES if name in text]
