"""`arena.yaml` says what needn't be typed, and mistakes in it are told with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.commands.arena_file import FromFile
from card_arena.commands.arena_settings import ArenaSettings
from card_arena.tests.cli.home import Home
from card_arena.tests.cli.lazy_commands import lazy


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def write(home: Home, text: str) -> None:
    (home.folder / "arena.yaml").write_text(text)


def test_the_file_names_the_database_unless_one_is_typed(home: Home) -> None:
    write(home, "database: sqlite:///from_file.db\n")
    assert home.run("show", "bots")[2].startswith("Database from_file.db not found")
    typed = home.run("show", "bots", "--database", "sqlite:///typed.db")
    assert typed[2].startswith("Database typed.db not found")
    (home.folder / "arena.yaml").unlink()
    assert home.run("show", "bots")[2].startswith("Database var/arena.db not found")


def test_a_variable_counts_before_the_file(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.tournaments / "small.yaml").write_text("name: small\ngame: blackjack\n")
    write(home, "cluster: tls://127.0.0.1:1\n")
    monkeypatch.setenv("ARENA_CLUSTER", "http://set")
    assert "http://set" in home.run("run", "--once", "small")[2]


def test_the_file_names_the_folder_of_tournaments(home: Home) -> None:
    write(home, "folder: nowhere\n")
    code, _, errors = home.run("run", "--until-idle")
    assert (code, errors) == (2, "there is no folder nowhere to look for tournament files in\n")


def test_the_file_names_the_cluster(home: Home) -> None:
    (home.tournaments / "small.yaml").write_text("name: small\ngame: blackjack\n")
    write(home, "cluster: http://head\n")
    code, _, errors = home.run("run", "--once", "small")
    assert code == 2
    assert "http://head" in errors


def test_every_mistake_is_told_with_its_place(home: Home) -> None:
    write(home, "port: 99999\nprt: 3\ncluster: 5\n")
    code, _, errors = home.run("serve")
    assert code == 2
    assert errors.splitlines() == [
        "arena.yaml:1:7: port must be at most 65535; got 99999",
        "arena.yaml:2:1: unknown key 'prt'; did you mean 'port'?",
        "arena.yaml:3:10: cluster must be text; got 5",
    ]


def test_help_is_given_whatever_the_file_says(home: Home) -> None:
    write(home, "{")
    code, output, _ = home.run("serve", "--help")
    assert code == 0
    assert "--port" in output


def test_commands_that_need_nothing_of_it_leave_the_file_alone(home: Home) -> None:
    write(home, "{")
    assert home.run("show", "games")[0] == 0


def test_a_file_that_cannot_be_read_is_named(home: Home) -> None:
    (home.folder / "arena.yaml").mkdir()
    assert home.run("show", "bots")[2] == "arena.yaml: can't be read: Is a directory\n"


def test_each_key_is_an_option_of_some_command_and_each_such_option_a_key() -> None:
    options = {
        each.key for command in lazy() for each in command.params if isinstance(each, FromFile)
    }
    no_options = {"accounts", "alarm", "backups", "play", "zone"}
    assert options == {*ArenaSettings.model_fields} - no_options
