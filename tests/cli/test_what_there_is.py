"""`games`, `languages` and `doctor` as somebody types them, and runs that the latter stops."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from card_arena import arena
from card_arena.commands.actions import doctor as doctor_action
from card_arena.sandbox.guarantees import GUARANTEES
from card_arena.tables.registry import GAMES
from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tournament import requirements

EXAMINED = cache(doctor_action.examine)
"""What was found by trying a kind of sandbox out, which takes seconds of computing."""


@pytest.fixture
def examined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the doctor try each kind of sandbox out once for all tests that ask for it."""
    monkeypatch.setattr(doctor_action, "examine", EXAMINED)


def doctor(*words: str, path: str | None = None) -> tuple[int, str]:
    environment = {"COLUMNS": "80", **({"PATH": path} if path else {})}
    result = CliRunner(env=environment).invoke(arena.main, ["doctor", *words])
    return result.exit_code, result.output


def test_games_and_languages_are_listed(home: Home) -> None:
    games = home.done("show", "games")
    for game in GAMES.values():
        assert f"{game.name}: {game.seats_text} seats, rules version {game.version}" in games
        assert f"presets: {', '.join(game.presets)}" in games
        assert all(option in games for option in game.options.model_fields)
    listed = home.done("show", "languages")
    assert re.search(r"^ +python +\.py +yes *$", listed, re.MULTILINE)
    manner = r"yes: (runs under|translated to Python 3)"
    assert re.search(rf"^ +python2 +\.py +{manner}", listed, re.MULTILINE)


def test_the_doctor_shows_every_guarantee_of_a_sandbox_and_what_would_help() -> None:
    need("bwrap")
    code, shown = doctor("--sandbox", "bubblewrap")
    first, *table = shown.splitlines()
    assert code == 0
    assert first.startswith("bubblewrap: keeps ")
    assert first.endswith("and all that tournaments require by default")
    rows = [line.split()[0] for line in table if line[1:2].isalpha()]
    assert [row for row in rows if row in GUARANTEES] == list(GUARANTEES)
    assert "own-core" in shown.partition("─" * 10)[2]
    assert "use the docker sandbox" in shown


@pytest.mark.usefixtures("examined_once")
def test_the_bare_sandbox_is_shown_as_what_it_is() -> None:
    code, shown = doctor("--sandbox", "bare")
    assert code == 0
    assert "bare: keeps 5 of 29; it isolates nothing: for bots that you trust" in shown
    assert "use the bubblewrap sandbox or the docker sandbox" in shown


def test_a_machine_without_bubblewrap_ends_with_2_and_says_what_to_install(tmp_path) -> None:
    code, shown = doctor("--sandbox", "bubblewrap", path=str(tmp_path))
    assert code == 2
    assert shown.splitlines()[:3] == [
        "bubblewrap: no such sandbox can be made here",
        "  bubblewrap is not installed: sudo apt-get install bubblewrap",
        "",
    ]


@pytest.mark.usefixtures("examined_once")
def test_programs_get_the_same_as_json() -> None:
    code, shown = doctor("--sandbox", "bare", "--json")
    found = json.loads(shown)["bare"]
    assert (code, found["fit"], found["trouble"]) == (0, False, "")
    names = [promise["name"] for promise in found["promises"]]
    assert names == list(GUARANTEES)
    assert {
        "enforced": False,
        "fix": "use the bubblewrap sandbox or the docker sandbox",
    }.items() <= (found["promises"][names.index("no-network")].items())


@pytest.mark.usefixtures("examined_once")
def test_the_doctor_names_the_files_that_others_can_read_and_what_closes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache" / "builds").mkdir(parents=True)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache" / "builds").chmod(0o755)
    database = tmp_path / "it's an arena.db"
    for name in (database.name, f"{database.name}-wal", f"{database.name}.lock"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    words = ("--sandbox", "bare", "--database", f"sqlite:///{database}")
    code, shown = doctor(*words)
    commands = re.findall("^  (chmod go= .*)$", shown, re.MULTILINE)
    assert code == 0
    assert len(commands) == 4
    assert str(tmp_path / "cache" / "builds") in commands[-1]
    for command in commands[1:]:
        subprocess.run(command, shell=True, check=True)
    left = json.loads(doctor(*words, "--json")[1])["open_files"]
    assert left == [{"path": str(database), "mode": "0644", "fix": commands[0]}]
    subprocess.run(commands[0], shell=True, check=True)
    assert json.loads(doctor(*words, "--json")[1])["open_files"] == []
    postgres = ("--database", "postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert json.loads(doctor("--sandbox", "bare", "--json", *postgres)[1])["open_files"] == []


def test_a_run_whose_sandbox_can_not_keep_what_is_required_ends_before_it_starts(
    tmp_path: Path,
) -> None:
    need("bwrap")
    home = Home(tmp_path)
    home.tournament(f"{QUICK}require: [memory, own-core]\n")
    for words in (["run", "--until-idle"], ["run", "--once", "small"], ["up", "--port", "1"]):
        assert home.refused(*words).splitlines() == [
            "small requires own-core (a bot can't leave the processor its match was given), which"
            " the bubblewrap sandbox can't give here: use the docker sandbox",
            "nothing was started; `arena doctor` shows all that holds here",
        ]
    assert home.done("standings") == "nothing has been played yet\n"


def test_a_friendly_match_needs_walls_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    bot = home.bot(stage.shell("shell", 16))
    monkeypatch.setenv("PATH", str(tmp_path))
    requirements._examined.cache_clear()
    said = home.refused("play", "blackjack", bot)
    assert said == "bubblewrap is not installed: sudo apt-get install bubblewrap"
