"""`check` and `submit`: a bot on its way in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.needs import need
from tests.tournament import stage


@pytest.mark.parametrize("game", stage.LISTED)
def test_a_bot_of_every_game_passes_the_check(home: Home, game: str) -> None:
    need("bwrap", "bubblewrap")
    output = home.done("check", home.bot(stage.legal(game, game, "first")))
    assert output.count("passed") == 7


def test_a_good_bot_passes_the_check(home: Home) -> None:
    need("bwrap", "bubblewrap")
    output = home.done("check", home.bot(stage.shell("good", 17)))
    assert [line.split()[:2] for line in output.splitlines() if line[0] != " "] == [
        [str(number), "passed"] for number in range(1, 8)
    ]


def test_a_bot_is_checked_by_the_clock_of_a_contest(home: Home) -> None:
    need("bwrap", "bubblewrap")
    home.tournament("name: small\ngame: blackjack\nclock: {question: 80ms}\n")
    slow = home.bot(stage.Bot("slow", "argv", "shell", "sleep 0.2\necho S"))
    code, output, _ = home.run("check", slow, "--game", "tournaments/small.yaml")
    assert code == 1
    assert "6  FAILED  is fast enough" in output
    assert "of 80.0 ms allowed" in output


def test_a_bad_bot_is_told_what_is_wrong(home: Home) -> None:
    need("bwrap", "bubblewrap")
    bad = stage.Bot("bad", "argv", "shell", "echo thinking >&2\necho maybe\n")
    code, output, _ = home.run("check", home.bot(bad))
    assert code == 1
    assert "4  FAILED  answers the sample question with a legal word" in output
    assert "'maybe' is not an answer: expected H, S, D or B and a number" in output
    assert "thinking" in output


def test_the_check_fails_where_bot_yaml_is_wrong(home: Home) -> None:
    folder = home.bot(stage.shell("good", 17))
    (folder / "bot.yaml").write_text("name: GOOD\nlanguage: cobol\n")
    code, output, _ = home.run("check", folder)
    assert code == 1
    assert "1  FAILED  reads bot.yaml" in output
    assert "bot.yaml:1:7: name must be" in output
    assert "7  skipped" in output


def test_the_same_bundle_again_is_no_new_version(house: Home) -> None:
    folder = house.bots / "sh12"
    assert house.done("submit", folder, "--author", "ada") == "sh12 v1 is in already, unchanged\n"
    (folder / "bot.sh").write_text("echo S\n")
    assert house.done("submit", folder / "bot.yaml", "--author", "ada") == "sh12 v2 is in\n"


def test_a_failing_build_is_refused_with_its_log_and_nothing_is_stored(home: Home) -> None:
    need("bwrap", "bubblewrap")
    need("gcc", "gcc")
    said = home.refused(
        "submit", home.bot(stage.Bot("bad", "argv", "c", "int main( {")), "--author", "ada"
    )
    assert "the build failed" in said
    assert "error:" in said
    assert "bad" not in home.done("bots")


def test_a_name_of_another_author_is_refused(house: Home) -> None:
    said = house.refused("submit", house.bots / "sh12", "--author", "eve")
    assert "the name sh12 belongs to ada" in said


def test_two_bots_of_one_name_are_not_taken_together(house: Home, tmp_path: Path) -> None:
    paths = [stage.shell("twin", limit).write(tmp_path / str(limit)) for limit in (12, 13)]
    code, said, complaint = house.run("submit", *paths, "--author", "ada")
    assert (code, said) == (2, "twin v1 is in\n")
    assert complaint == f"{paths[1]}: it is called twin, as {paths[0]} is\n"
