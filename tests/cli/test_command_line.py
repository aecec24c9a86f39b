"""The command line itself: its help, what it imports when, and what the shell completes."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from card_arena import arena
from card_arena.commands.command_line import LazyCommand
from card_arena.commands.operation_commands import OperationCommand
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.cli.home import QUICK, ROOT, Home
from card_arena.tests.cli.lazy_commands import lazy
from card_arena.tests.needs import need

HEAVY = (
    *("sqlalchemy", "alembic", "flask", "docker", "rich", "pydantic", "yaml", "psutil"),
    *(
        "card_arena.tables.blackjack",
        "card_arena.tournament.settings",
        "card_arena.results.store",
        "card_arena.sandbox.sandbox",
    ),
)


def imported(*words: str, **environment: str) -> set[str]:
    """The heavy modules that a command line imports, and the output it must have."""
    report = f"print('IMPORTED', *[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    script = (
        "import sys, atexit\n"
        f"atexit.register(lambda: {report})\n"
        "from card_arena import arena\n"
        "arena.main(prog_name='arena')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout
    return {*done.stderr.split("IMPORTED", 1)[1].split()}


@pytest.mark.parametrize("line", ["--help", "--version", "submit --help", "image check --help"])
def test_help_waits_for_no_library_and_no_part_of_the_arena(line: str) -> None:
    assert imported(*line.split()) == set()


@pytest.mark.parametrize(
    "line",
    [
        "arena st",
        "arena submit --b",
        "arena submit --sandbox ba",
        "arena play bl",
        "arena show bots --d",
    ],
)
def test_completion_waits_for_neither(line: str) -> None:
    count = len(line.split()) - 1
    completing = {"_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(count)}
    assert imported(**completing) == set()


def test_the_list_of_bots_waits_only_for_database_models_and_table(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/arena.db"
    Store(database).close()
    needed = {"sqlalchemy", "pydantic", "rich", "card_arena.results.store"}
    assert imported("show", "bots", "--database", database) == needed


@pytest.mark.parametrize("command", [*lazy()], ids=lambda command: command.action)
def test_every_command_has_an_action_that_takes_its_parameters(command: LazyCommand) -> None:
    typed = {p.name for p in command.params}
    inspect.signature(command.function()).bind(**dict.fromkeys(typed))
    if not isinstance(command, OperationCommand):  # whose values have other names each time
        assert {*inspect.signature(command.function()).parameters} == typed


def test_the_help_says_in_a_whole_sentence_what_each_command_does(home: Home) -> None:
    shown = home.done("--help")
    assert {*arena.main.commands} <= {line.split()[0] for line in shown.splitlines() if line}
    lines = shown.splitlines()
    assert not [line for line in lines[1:] if "..." in line]
    assert len(lines) <= 34, "it fits a screen"
    assert max(map(len, lines)) <= 80


WITHOUT_SETTINGS = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}


def shell(home: Home, name: str, script: str) -> list[str]:
    """Run a script in a shell that finds `arena`, as it is installed; gives its words."""
    installed = Path(sys.executable).parent
    done = subprocess.run(
        [name, *WITHOUT_SETTINGS[name], "-c", script],
        cwd=home.folder,
        env={**os.environ, "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def completed(home: Home, line: str) -> list[str]:
    """What bash completes when the tab key is pressed at the end of a line."""
    words = line.split(" ")
    typed = " ".join(f"'{word}'" for word in words)
    return shell(
        home,
        "bash",
        'eval "$(arena show completion bash)"\n'
        "compopt() { :; }  # there is no completion under way here\n"
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}\n"
        '$(complete -p arena | sed "s/.*-F //; s/ .*//") arena "${COMP_WORDS[COMP_CWORD]}" ""\n'
        'printf "%s\\n" "${COMPREPLY[@]}"',
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("arena st", ["standings"]),
        ("arena show st", ["stderr"]),
        ("arena image ", ["build", "check"]),
        ("arena submit --sandbox b", ["bubblewrap", "bare"]),
        ("arena doctor --sandbox d", ["docker"]),
        ("arena image check ra", ["racket"]),
        ("arena play ", [*GAMES]),
        ("arena play blackjack --preset ", [*GAMES["blackjack"].presets]),
        ("arena check bot --game ta", ["tarot"]),
        ("arena show completion ", ["bash", "zsh", "fish"]),
    ],
)
def test_bash_completes_commands_and_everything_that_has_a_list(
    home: Home, line: str, expected: list[str]
) -> None:
    need("bash")
    assert completed(home, line) == expected


def test_bash_completes_the_names_that_are_stored_or_have_a_file(house: Home) -> None:
    need("bash")
    house.tournament(QUICK)
    (house.tournaments / "other.yaml").write_text("# a comment\nname: 'smart'  # quoted\n")
    (house.tournaments / "folder.yaml").mkdir()
    assert completed(house, "arena run --once sm") == ["small", "smart"]
    assert completed(house, "arena standings sm") == []
    (house.tournaments / "folder.yaml").rmdir()
    house.done("run", "--only", "small", "--until-idle")
    assert completed(house, "arena standings sm") == ["small"]
    assert completed(house, "arena bot tag sh1") == ["sh12", "sh16"]
    assert completed(house, "arena compare blackjack sh12 sh2") == ["sh20"]
    url = f"sqlite:///{house.folder}/nowhere.db"
    assert completed(house, f"arena bot tag --database {url} sh") == []


def test_completion_creates_no_database_and_says_nothing_of_one_that_is_damaged(
    home: Home,
) -> None:
    need("bash")
    assert completed(home, "arena submit --author ada bot") == []
    assert completed(home, "arena bot withdraw s") == []
    assert not home.database.parent.exists()
    home.database.parent.mkdir()
    home.database.write_text("no database")
    assert completed(home, "arena bot withdraw s") == []


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_get_a_script_of_theirs_that_asks_the_arena(home: Home, name: str) -> None:
    script = home.done("show", "completion", name)
    assert f"_COMPLETE={name}_complete" in script
    need(name)
    before = "autoload -U compinit && compinit -D\n" if name == "zsh" else ""
    assert shell(home, name, f"{before}{script}\necho done") == ["done"]


def test_completion_asks_zsh_for_files_beside_the_names_of_bots(house: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from card_arena.arena import main; main(prog_name='arena')"],
        cwd=house.folder,
        env={
            **os.environ,
            "_ARENA_COMPLETE": "zsh_complete",
            "COMP_WORDS": "arena play blackjack s",
            "COMP_CWORD": "3",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert [*zip(lines[::3], lines[1::3], strict=True)] == [
        ("file", "s"),
        *(("plain", name) for name in ("sh12", "sh16", "sh20")),
    ]


def test_a_bug_of_ours_is_not_told_as_damaged_data(
    house: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.tournament(QUICK)
    house.done("run", "--until-idle")

    def broken(*_: object) -> None:
        raise TypeError("ours")

    monkeypatch.setattr("card_arena.commands.actions.verify.verify_season", broken)
    with pytest.raises(TypeError, match="ours"):
        house.run("verify")
