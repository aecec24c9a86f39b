"""`compare` as an author types it: is the new version better, and it may be stopped at any time."""

from __future__ import annotations

import json
import re
import shutil
import signal
from pathlib import Path

import pytest

from card_arena.tests.cli.home import QUICK, Home, wait_for
from card_arena.tests.killed.harness import attempts
from card_arena.tests.tournament import stage

SEED = ("--seed", "5e" * 32)


@pytest.fixture
def pair(house: Home, tmp_path: Path) -> tuple[Path, Path]:
    """Two versions of a bot, of which the second draws until it has too much."""
    new, old = (
        stage.shell("mine", limit).write(tmp_path / place)
        for place, limit in (("new", 17), ("old", 22))
    )
    return new, old


def told(house: Home, *words: object) -> tuple[int, dict[str, object]]:
    code, output, errors = house.run("compare", "blackjack", *words, "--json")
    assert errors == ""
    return code, json.loads(output)


def test_a_better_version_is_found_and_shown_again_without_playing(
    house: Home, pair: tuple[Path, Path]
) -> None:
    new, old = pair
    words = ("compare", "blackjack", new, old, "--option", "hands=1", *SEED)
    shown = house.done(*words)
    assert re.search(rf"after \d+ boards {new} is better than {old}: its margin is \+\S+ a", shown)
    assert f"--seed {'5e' * 32}" in shown
    (kept,) = (house.folder / "var" / "comparisons").iterdir()
    before = kept.read_bytes()
    again = house.done(*words)
    sentence, _, rest = again.partition("\n")
    assert sentence == "played before, nothing is played now"
    assert shown.endswith(rest)  # above it there may be lines of progress
    assert kept.read_bytes() == before
    code, plain = told(house, new, old, "--option", "hands=1")  # the latest with this question
    assert (code, plain["verdict"], plain["exit_code"]) == (0, "better", 0)
    assert plain["seed"] == "5e" * 32
    assert len(before.splitlines()) == 1 + int(str(plain["boards"]))


def test_the_exit_code_tells_worse_and_undecided(house: Home, pair: tuple[Path, Path]) -> None:
    new, old = pair
    table = ("--option", "hands=1", *SEED)
    code, plain = told(house, old, new, *table, "--test", "no-worse")
    assert (code, plain["verdict"]) == (1, "worse")
    code, plain = told(house, new, old, *table, "--cap", 30, "--gain", "0", "0.01")
    assert (code, plain["verdict"], plain["boards"]) == (3, "undecided", 30)
    code, plain = told(house, new, old, *table, "--cap", 32, "--gain", "0", "0.01")
    assert (code, plain["boards"]) == (3, 32)


def test_killed_at_any_time_it_goes_on_with_the_same_boards(
    house: Home, pair: tuple[Path, Path]
) -> None:
    new, old = pair
    house.tournament(QUICK)  # with the same clock in this process and in another
    words = ("compare", "tournaments/small.yaml", new, old, "--option", "hands=2", *SEED)

    def begun() -> bool:
        files = [*(house.folder / "killed").glob("*.jsonl")]
        return bool(files) and len(files[0].read_bytes().splitlines()) > 5

    for _ in attempts():
        shutil.rmtree(house.folder / "killed", ignore_errors=True)
        process = house.start(*words, "--into", "killed")
        wait_for(lambda process=process: begun() or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        resumed = house.done(*words, "--into", "killed")
        if not resumed.startswith("played before"):
            break
    assert re.match(r"resumes after \d+ boards\n", resumed)
    house.done(*words, "--into", "whole")

    def margins(folder: str) -> list[object]:
        (kept,) = (house.folder / folder).iterdir()
        _, *boards = map(json.loads, kept.read_text().splitlines())
        return [[bot["margin"] for bot in board["showings"]] for board in boards]

    assert margins("killed") == margins("whole")


def test_a_fault_is_shown_with_its_question_even_after_the_comparison(house: Home) -> None:
    broken = house.bot(stage.Bot("broken", "argv", "shell", "echo oops >&2; exit 3"))
    words = ("compare", "blackjack", broken, "sh12", "--option", "hands=1", "--cap", 30)
    for _ in range(2):
        code, shown, _ = house.run(*words)
        assert code in (1, 3)
        assert "broken's first fault, on board 1: crash: exited with code 3" in shown
        assert "  answered: (nothing)\n  standard error of that game:\noops\n" in shown


def test_copies_of_the_old_bot_fill_a_larger_table(house: Home, pair: tuple[Path, Path]) -> None:
    new, old = pair
    table = ("--option", "hands=1", "--cap", 30, "--seats", 4)
    code, plain = told(house, new, old, *table)
    assert code in (0, 1, 3)
    assert plain["entrants"] == 4


def test_mistakes_are_one_sentence(house: Home, pair: tuple[Path, Path]) -> None:
    new, old = pair
    start = ("compare", "blackjack", new, old)
    assert house.refused(*start, "--test", "gain", "--gain", "0", "1") == (
        "--test and --gain can't be combined: give one of them"
    )
    assert house.refused(*start, "--gain", "1", "0") == (
        "--gain: low (1.0) must be less than high (0.0): expected two numbers such as 0 0.1"
    )
    assert "nobody" in house.refused("compare", "blackjack", new, "nobody")
    assert "bots, not 90" in house.refused(*start, "--seats", 90)
    (house.folder / "taken").write_text("")
    assert "can't be written" in house.refused(*start, "--into", "taken/in")
