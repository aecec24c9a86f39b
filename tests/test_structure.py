"""Who may import whom, and that the arena stays without a game's name where it must."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tables.registry import GAMES

TOP = Path(__file__).parent.parent
OURS = (
    *("commands", "tables", "sandbox", "tournament", "leaderboard"),
    *("bots", "experiments", "arena", "common"),
)
MAY_IMPORT = {
    "common": {"common"},
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


FLOORS = {
    "statistics": {"statistics"},
    "storage": {"statistics", "storage"},
    "views": {"statistics", "storage", "views"},
}
"""Which of leaderboard's rooms each of them may import, from the ground up."""


@pytest.mark.parametrize("room", FLOORS)
def test_each_room_of_the_leaderboard_imports_only_those_below(room):
    for file in (TOP / "leaderboard" / room).rglob("*.py"):
        names = [name.split(".") for name in imports(file)]
        rooms = {name[1] for name in names if name[0] == "leaderboard" and len(name) > 1}
        assert rooms <= {*FLOORS[room], "results"}, file


def test_sql_is_spoken_where_the_database_is_and_nowhere_else():
    lock = TOP / "tournament" / "play" / "lock.py"  # asks PostgreSQL for a lock, and no more
    for package in OURS[:5]:
        for file in {*(TOP / package).rglob("*.py")} - {lock}:
            if "sqlalchemy" in {name.split(".")[0] for name in imports(file)}:
                assert file.relative_to(TOP).parts[:2] in (
                    ("leaderboard", "storage"),
                    ("leaderboard", "views"),
                ), file


@pytest.mark.parametrize("package", ["common", "leaderboard", "tables"])
def test_no_modules_import_each_other_in_a_circle(package):
    files = {module_of(file): file for file in (TOP / package).rglob("*.py")}
    graph = {name: {*imports(file)} & {*files} for name, file in files.items()}
    for name in graph:  # `from leaderboard import views` names the package first
        graph[name] = {other for other in graph[name] if not name.startswith(f"{other}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these import each other: {' -> '.join(error.args[1])}")


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__")


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
