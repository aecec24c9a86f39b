"""Who may import whom, and that the arena stays without a game's name where it must."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from card_arena.common.checkout import package_names
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tables.encoding import word_fields
from card_arena.tables.registry import GAMES
from card_arena.tests.structure import FLOORS, OURS, ROOMS, imported

TOP = Path(__file__).parent.parent

FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}

RUN_BOTS = {
    *("sandbox", "library", "tournament", "verify", "cluster", "experiments"),
    *("commands", "arena"),
}
"""Who may import the sandbox: the results and the site never run a bot."""

OPTIONAL = {"cluster", "collusion", "experiments"}
"""Rooms that only the command line knows, so that a folder can be deleted whole."""

# What measures an experiment reads records and results, or draws them: it plays nothing and opens
# no store.
A_MEASURE_MAY_IMPORT = ("tables", "ratings.intervals", "experiments")


def sources(*parts: str) -> Iterator[Path]:
    """The programs of rooms or of folders in them; Python 3 can't parse the bot of Python 2."""
    for part in parts:
        for file in [TOP / part] if part.endswith(".py") else (TOP / part).rglob("*.py"):
            if file.parent.name != "python2" or file.parent.parent.name == "languages":
                yield file


def imports(file: Path) -> Iterator[str]:
    yield from imported(ast.walk(ast.parse(file.read_text())))


def rooms_of(names: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in names} & {*OURS}


def test_every_package_is_a_room_on_a_floor():
    assert {*package_names()} == {*ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_imports_only_rooms_below_it(room):
    files = list(sources(room))
    assert files
    for file in files:
        above = {other for other in rooms_of(imports(file)) - {room} if FLOOR[other] >= FLOOR[room]}
        assert not above, f"{file} imports {above}"


def test_only_those_who_run_bots_import_the_sandbox():
    for room in {*ROOMS} - RUN_BOTS:
        for file in sources(room):
            assert "sandbox" not in rooms_of(imports(file)), file


def test_optional_rooms_are_known_to_the_command_line_alone():
    for room in {*ROOMS} - OPTIONAL - {"commands"}:
        for file in sources(room):
            assert not OPTIONAL & rooms_of(imports(file)), file


def test_the_translator_of_python_2_is_a_folder_that_nothing_else_imports():
    folder = TOP / "sandbox" / "languages" / "python2"
    for file in sources(*ROOMS):
        if folder not in file.parents:
            names = [name for name in imports(file) if name.startswith("sandbox.languages.python2")]
            assert not names, file


def test_bots_import_nothing_of_ours_but_their_own_libraries():
    for file in sources("bots"):
        assert rooms_of(imports(file)) <= {"bots"}, file


def test_the_leaderboard_reads_and_shapes_below_its_pages():
    pages = ("leaderboard.web",)
    for file in sources("leaderboard"):
        if "web" not in file.relative_to(TOP).parts:
            assert not [name for name in imports(file) if name.startswith(pages)], file


def test_proofs_need_no_database():
    for file in sources("results/proof"):
        stores = [name for name in imports(file) if name.startswith("results.")]
        pure = ("results.proof", "results.season_settings")
        assert all(name.startswith(pure) for name in stores), file


def test_sql_is_spoken_where_the_databases_are_and_nowhere_else():
    for file in sources(*ROOMS):
        if "sqlalchemy" in {name.split(".")[0] for name in imports(file)}:
            path = file.relative_to(TOP)
            readers = path.parent == Path("leaderboard")
            stores = ("results/", "exhibitions/", "accounts/storage/")
            assert readers or path.as_posix().startswith(stores), file


def test_only_the_command_line_knows_the_site():
    for file in sources("tournament", "verify", "cluster", "experiments"):
        sites = ("leaderboard.web", "accounts.web")
        assert not [name for name in imports(file) if name.startswith(sites)], file


def test_a_measure_imports_what_it_reads_and_what_it_gives_and_nothing_that_plays():
    measures = [*(TOP / "experiments").glob("*/*.py")]
    assert measures
    for file in measures:
        for name in imports(file):
            if name.split(".")[0] in OURS:
                assert name.startswith(A_MEASURE_MAY_IMPORT), f"{file} imports {name}"


def test_the_bots_of_an_experiment_import_nothing_of_ours():
    for file in (TOP / "experiments").glob("*/bots/**/*.py"):
        assert not rooms_of(imports(file)), file


def test_matplotlib_is_imported_by_who_draws_alone_and_when_something_is_drawn():
    """It takes a second to import, and a server or another command must do without it."""
    for file in {*sources("arena.py", *ROOMS)} - {TOP / "experiments" / "plots.py"}:
        assert not any(name.split(".")[0] == "matplotlib" for name in imports(file)), file
        assert "experiments.plots" not in imported(ast.parse(file.read_text()).body), file


def test_nothing_below_the_command_line_draws_in_a_terminal():
    for file in sources(*{*ROOMS} - {"commands"}):
        assert not any(name.split(".")[0] == "rich" for name in imports(file)), file


def test_the_tables_are_pure():
    forbidden = {"os", "socket", "subprocess", "time", "pathlib", "threading", "secrets", "psutil"}
    for file in (TOP / "tables").rglob("*.py"):
        assert not {name.split(".")[0] for name in imports(file)} & forbidden, file


# The rooms of the sandbox, floor by floor from the top: each imports only what lies below it.
SANDBOX_FLOORS = (
    {"check"},
    {"backends", "builds", "doctor"},
    {"backend", "bundles", "seat"},
    {"languages", "session", "cache_folder", "causes"},
    {"sandbox", "guarantees", "inside", "kernel", "limits"},
)


def test_the_sandbox_is_built_in_floors_and_each_room_imports_only_from_lower_ones():
    floor = {room: number for number, rooms in enumerate(SANDBOX_FLOORS) for room in rooms}
    found = {}
    for file in (TOP / "sandbox").rglob("*.py"):
        room, *_ = file.relative_to(TOP / "sandbox").with_suffix("").parts
        wanted = (name.split(".") for name in imports(file))
        rooms = {name[1] for name in wanted if name[0] == "sandbox" and len(name) > 1}
        found.setdefault(room, set()).update(rooms - {room})
    assert set(found) - {"__init__"} == set(floor)
    for room, rooms in found.items():
        above = {each for each in rooms if floor[each] <= floor[room]}
        assert not above, f"sandbox/{room} imports {above}"


def test_what_runs_inside_a_sandbox_imports_the_standard_library_and_its_own_room_alone():
    """The sandbox's own python3 has nothing of ours installed."""
    files = [*(TOP / "sandbox" / "inside").glob("*.py")]
    assert files
    for file in files:
        for name in imports(file):
            ours = name.startswith("sandbox.inside")
            assert ours or name.split(".")[0] in sys.stdlib_module_names, f"{file} imports {name}"


def modules() -> dict[str, Path]:
    """Every module of ours by its name."""
    files = [TOP / "arena.py", *(f for room in ROOMS for f in (TOP / room).rglob("*.py"))]
    named = {file.relative_to(TOP).with_suffix(""): file for file in files}
    return {".".join(name.parts).removesuffix(".__init__"): file for name, file in named.items()}


def test_no_modules_import_each_other_in_a_circle():
    known = modules()
    graph = {
        name: {*imported(ast.parse(file.read_text()).body)} & known.keys() - {name}
        for name, file in known.items()
    }
    assert len(graph) > 150
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


IMPORT_ALL = """
import sys
from importlib import import_module
from card_arena.tests.structure import loaded_twice
for name in sys.stdin.read().split():
    import_module(name)
print(len([name for name in sys.modules if name.startswith("card_arena.")]))
print(*loaded_twice(sys.modules))
"""


def test_no_file_is_loaded_under_two_names_though_the_checkout_is_on_the_path():
    """The rooms could be imported as `tables` and the like there, as other classes."""
    apart = {"migrations", "runtime", "bots"}  # imported in ways of their own
    names = [name for name in modules() if not apart & {*name.split(".")} and "-" not in name]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        input="\n".join(f"card_arena.{name}" for name in names),
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
    )
    count, doubled = done.stdout.split("\n")[:2]
    assert int(count) > 350
    assert doubled == ""


def test_who_uses_sandboxes_asks_for_a_fact_and_compares_no_names_of_their_kinds():
    for part in ("commands", "tournament", "verify", "cluster", "sandbox"):
        for file in (TOP / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Compare | ast.MatchValue):
                    words = {
                        each.value for each in ast.walk(node) if isinstance(each, ast.Constant)
                    }
                    assert not words & {*BACKENDS}, f"{file}:{node.lineno}"


def test_docker_and_bubblewrap_take_nothing_from_each_other():
    kinds = ("bare", "bubblewrap", "docker")
    for kind in kinds:
        others = {f"sandbox.backends.{each}" for each in kinds if each != kind}
        assert not others & {*imports(TOP / "sandbox" / "backends" / f"{kind}.py")}


def texts(*parts: str) -> Iterator[tuple[Path, str]]:
    """The programs, templates, scripts and style sheets of these parts, in small letters."""
    for file in (file for part in parts for file in (TOP / part).rglob("*.*")):
        of_games = {"vendor", "encodings"} & {*file.parts}
        if file.suffix in (".py", ".html", ".svg", ".js", ".css") and not of_games:
            yield file, file.read_text().lower()


@pytest.mark.parametrize("part", sorted({*ROOMS} - {"common", "tables", "experiments"}))
def test_no_game_is_named_outside_its_rules(part):
    found = list(texts(part))
    assert found
    for file, text in found:
        assert not [name for name in GAMES if name in text], file


# What the interface of games and what games share speak of is no single game's.
SHARED = (
    *("cards.py", "legal_actions.py", "game.py", "scene.py"),
    *("seating.py", "tricks.py", "referee.py", "record.py", "dealing.py"),
)


def words(*told: str) -> set[str]:
    return set(re.findall("[a-zé]{4,}", " ".join(told).replace("_", " ").lower()))


def words_of_one_game() -> set[str]:
    """The words that just one game uses: its terms, and what its manual says besides plain English.

    Terms are the names of fields, options and presets, and words in backticks. Plain English is
    what the sandbox is written in, which knows no cards.
    """
    plain = words(*(text for _, text in texts("sandbox", "common")))
    found: dict[str, set[str]] = {}
    for name, rules in GAMES.items():
        items = [item for said in (*rules.questions, *rules.notices) for item in word_fields(said)]
        prose = (*(item.metadata["means"] for item in items), *rules.answers.values())
        terms = words(
            *(item.name for item in items),
            *rules.options.model_fields,
            *rules.presets,
            *rules.fallback_actions,
            *re.findall("`([^`]+)`", " ".join(prose)),
        )
        for word in terms | (words(*prose) - plain):
            found.setdefault(word, set()).add(name)
    shared = words(*((TOP / "tables" / file).read_text() for file in SHARED))
    rules_of = [words(*(text for _, text in texts(f"tables/{name}"))) for name in GAMES]
    return {
        word
        for word, games in found.items()
        if len(games) == 1 and word not in shared and sum(word in each for each in rules_of) == 1
    }


# Terms of one game that mean something else to everybody.
ORDINARY = {
    *("announcement", "application", "auction", "deck", "declare", "exactly", "fits", "fractions"),
    *(
        "half",
        "hundred",
        "move",
        "need",
        "overlap",
        "push",
        "revoke",
        "sans",
        "scope",
        "showed",
        "target",
    ),
    *("openspiel", "tells", "visible", "zero"),
}


def test_no_word_of_a_single_game_is_used_outside_its_rules():
    """The terminal and the pages show every game in words that the game gives them."""
    single = words_of_one_game() - ORDINARY
    assert {"capot", "discard", "talon", "poignée"} <= single
    files = [
        *texts(*{*ROOMS} - {"common", "tables", "sandbox", "experiments"}),
        *((file, text) for file, text in texts("tables") if file.parent.name == "tables"),
    ]
    for file, text in files:
        if file.name not in (*SHARED, "registry.py"):
            found = single & set(re.findall("[a-zé]+", text))
            assert not found, f"{file}: {sorted(found)}"


@pytest.mark.parametrize(
    "file", ["referee.py", "record.py", "transcript.py", "drawing.py", "dealing.py"]
)
def test_the_referee_knows_no_game_by_name(file):
    text = (TOP / "tables" / file).read_text().lower()
    assert not [name for name in GAMES if name in text]
