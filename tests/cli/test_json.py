"""`--json`: every command that prints a table has it, and prints a documented shape."""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from card_arena import arena
from card_arena.accounts.entries import AllLimits, Log, Messages, People, VisibilityShape
from card_arena.commands.actions.languages import LanguagesHere
from card_arena.commands.actions.ledger import LedgerShape
from card_arena.commands.actions.play import Exhibition
from card_arena.commands.actions.replay import ReplayedMatch
from card_arena.commands.actions.repro import Repeated, RepeatedSeason
from card_arena.commands.command_line import LazyCommand
from card_arena.leaderboard.bots import Bots
from card_arena.leaderboard.matches import Matches, matches
from card_arena.leaderboard.models import Shape
from card_arena.leaderboard.plans import Plan
from card_arena.leaderboard.reviews import TournamentReview
from card_arena.leaderboard.rules import Games
from card_arena.leaderboard.tournaments import AllStandings
from card_arena.leaderboard.versus import AllGames, Versus
from card_arena.results.store import Store
from card_arena.tests.cli.home import QUICK, ROOT, Home
from card_arena.tests.shapes import PRINTED


def _functions(path: Path) -> Iterator[tuple[str, str]]:
    """The functions of a module, each with what it returns."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.returns:
            yield node.name, ast.unparse(node.returns)


def _imported_by(path: Path, function: str) -> set[str]:
    """The imported names in a function of a module and in the functions there that it calls."""
    module = ast.parse(path.read_text())
    bodies = {
        node.name: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        for node in module.body
        if isinstance(node, ast.FunctionDef)
    }
    names, to_follow = set[str](), {function}
    while to_follow:
        names |= to_follow
        to_follow = {used for name in to_follow for used in bodies.get(name, ())} - names
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
    return names & {alias.name for node in imports for alias in node.names}


DRAWING = {"Rows"} | {
    name
    for path in (ROOT / "commands").rglob("*.py")
    for name, returned in _functions(path)
    if "Rows" in returned
}
"""What a table in a terminal is made of, and the functions that make one."""


def typed(group: click.Group = arena.main, before: str = "") -> dict[str, LazyCommand]:
    """All commands, as they are typed."""
    found: dict[str, LazyCommand] = {}
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found |= typed(command, f"{before}{name} ")
        else:
            assert isinstance(command, LazyCommand)
            found[before + name] = command
    return found


def with_json() -> set[str]:
    return {
        name
        for name, command in typed().items()
        if "as_json" in {one.name for one in command.params}
    }


def test_every_command_that_prints_a_table_prints_json_as_well() -> None:
    folder = ROOT / "commands" / "actions"
    drawing = {
        name
        for name, command in typed().items()
        if DRAWING & _imported_by(folder / f"{command.module}.py", command.action)
    }
    assert {"show bots", "standings", "play", "replay", "compare"} <= drawing, "they are found"
    assert drawing <= with_json()


def test_each_shape_is_documented() -> None:
    assert {*PRINTED} == with_json()


@pytest.fixture(scope="module")
def played(furnished: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home in which a season was played."""
    folder = tmp_path_factory.mktemp("json")
    shutil.copytree(furnished.folder, folder, dirs_exist_ok=True)
    home = Home(folder)
    home.tournament(QUICK + "require: []\nsandbox: bare\n")
    code, _, errors = home.run("run", "--once", "small")
    assert code == 0, errors
    return home


def printed(home: Home, shape: type[Shape], *words: object) -> Any:
    """What a command prints, which must be of a shape and of nothing else."""
    code, output, errors = home.run(*words, "--json")
    assert code == 0, errors
    data = json.loads(output)
    assert shape.model_validate(data).data() == data
    return data


def test_what_is_stored_is_printed_in_the_shapes_of_the_api(played: Home) -> None:
    bots = printed(played, Bots, "show", "bots")
    assert bots["total"] == len(bots["items"]) == 3
    standings = printed(played, AllStandings, "standings", "small")
    assert standings["played"][0]["season"]["tournament"] == "small"
    assert printed(played, Versus, "standings", "small", "--versus")["met"] is not None
    assert printed(played, AllGames, "standings", "--all-games")["counted"]
    assert printed(played, Matches, "replay", "small")["items"]
    assert printed(played, TournamentReview, "review", "small")["bots"] == []
    ledger = printed(played, LedgerShape, "ledger", "show", "small")
    assert ledger["entries"][-1]["sha256"] == ledger["head"]
    assert ledger["entries"][-1]["content"]["kind"] == "finish"


def test_a_match_is_printed_with_every_turn(played: Home) -> None:
    with closing(Store(f"sqlite:///{played.database}")) as store:
        key = matches(store, "small", 1).items[0].key
    match = printed(played, ReplayedMatch, "replay", key)
    assert match["key"] == key
    turns = match["played"][0]["played"]
    asked = next(turn for turn in turns if turn["question"])
    bot = str(next(each["bot"] for each in match["entrants"]))
    again = printed(
        *(
            played,
            Repeated,
            "repro",
            key,
            1,
            asked["number"],
            bot,
            "--sandbox",
            "bare",
            "--times",
            2,
        )
    )
    assert again["question"] == asked["question"]
    assert len(again["now"]) == 2
    played.done("export", "small/1")
    folder = next(each for each in played.bots.iterdir() if each.name == bot)
    whole = printed(played, RepeatedSeason, "repro", "small-0001.zip", folder, "--sandbox", "bare")
    assert whole["same_files"]
    assert whole["others"] == []


def test_what_there_is_is_printed(played: Home) -> None:
    assert printed(played, Games, "show", "games")["items"][0]["name"] == "blackjack"
    languages = printed(played, LanguagesHere, "show", "languages")["items"]
    assert {each["name"] for each in languages} >= {"c", "python"}


def test_the_admin_pages_are_printed(played: Home) -> None:
    (played.folder / "arena.yaml").write_text("accounts: {invite: true}\n")
    played.done("people", "invite", "--name", "Ann", "--email", "ann@example.org")
    (person,) = printed(played, People, "people", "list")["items"]
    assert (person["name"], person["teams"], person["suspended"]) == ("Ann", ["Ann"], None)
    assert "invite" in [act["what"] for act in printed(played, Log, "show", "log")["items"]]
    limits = printed(played, AllLimits, "people", "limits", "--a-day", 7)
    assert (limits["everybody"]["a_day"], limits["now"]["a_day"], limits["teams"]) == (7, 7, [])
    (sent,) = printed(played, Messages, "people", "message", "Welcome")["items"]
    assert (sent["text"], sent["team"], sent["ends"]) == ("Welcome", None, None)
    (ended,) = printed(played, Messages, "people", "message", "--end", sent["id"])["items"]
    assert ended["ends"] is not None
    assert printed(played, Messages, "people", "message")["items"] == [ended]
    seen = printed(played, VisibilityShape, "season", "visibility", "small", "--top", 2)
    assert (seen["names"], seen["top"], seen["frozen"]) == ("top", 2, None)
    plan = printed(played, Plan, "plan", "small")
    assert (plan["season"], len(plan["playing"])) == (2, 3)


def test_a_match_that_is_not_stored_is_printed_with_its_records(played: Home) -> None:
    bots = [each.name for each in sorted(played.bots.iterdir())][:2]
    found = printed(played, Exhibition, "play", "blackjack", *bots, "--sandbox", "bare")
    assert {each["name"] for each in found["entrants"]} == {f"{bot} v1" for bot in bots}
    assert found["records"][0]["game"] == "blackjack"


def test_the_file_of_a_match_is_json_already(played: Home) -> None:
    (played.folder / "match.json").write_text("{}")
    assert "--json is for stored matches, and match.json is a JSON file" in played.refused(
        "replay", "match.json", "--json"
    )
