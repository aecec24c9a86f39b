"""Stored matches shown again: `replay`, `repro` and `stderr`."""

from __future__ import annotations

import re

import pytest

from card_arena.tests.cli.home import QUICK, Home, wait_for
from card_arena.tests.cli.terminals import Terminal
from card_arena.tests.tournament import stage


def test_a_stored_match_is_shown_hand_by_hand_with_its_faults(house: Home) -> None:
    bad = stage.Bot(
        "bad", "argv", "shell", '[ "$1" = 21 ] && echo S || { echo my fault >&2; exit 3; }\n'
    )
    house.done("submit", house.bot(bad), "--author", "eve", "--unchecked")
    house.tournament(QUICK + "entrants: [bad, sh12]\n")
    house.done("run")
    shown = house.done("replay", "small/0001/t01/r1/a")
    assert "hand 1 of 5" in shown
    assert re.search(r"dealer +\S+[♣♦♥♠] \[\S+[♣♦♥♠]\]", shown)  # what the players didn't see
    assert re.search(r"bad v1: crash, strike: exited with code 3\n +fallback action +S\n", shown)
    assert "my fault" not in shown
    assert "bad v1 (struck out)" in shown
    told = house.done("show", "stderr", "small/0001/t01/r1/a", "bad")
    assert re.search(r"game 1, seat \d, bad v1:\nmy fault\n", told)
    again = re.search(r"again +arena repro (small/0001/t01/r1/a 1 \d+) \./my_bot", shown)
    assert again
    for bot in (house.bots / "bad", "bad@1"):
        compared = house.done("repro", *again[1].split(), bot)
        assert re.search(r"asked: \d+ [2-9TJQKA]{2,} ", compared)
        assert "then: bad v1" in compared
        assert compared.count("crash: exited with code 3") == 2
        assert "standard error now:\nmy fault" in compared
    questions = house.done("replay", "small/0001/t01/r1/a", "--questions")
    assert re.search(rf"turn {again[1].split()[-1]} +\d+ [2-9TJQKA]{{2,}} ", questions)


def test_a_question_that_is_not_there_is_told_with_those_that_are(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12]\n")
    house.done("run")
    key, bot = "small/0001/t01/r1/a", house.bots / "sh12"
    where = f"game 1 of match {key}"
    assert house.refused("repro", key, 2, 1, bot) == f"match {key} has 1 game; there is no game 2"
    assert re.fullmatch(
        rf"{where} has turns 0 to \d+; there is no turn 99",
        house.refused("repro", key, 1, 99, bot),
    )
    assert house.refused("repro", key, 1, 0, bot) == (
        f"turn 0 of {where} belongs to the dealer, and nobody was asked;"
        " the nearest question is turn 1"
    )
    assert house.refused("repro", "small/nowhere", 1, 1, bot) == (
        "no match 'small/nowhere' is stored"
    )
    assert house.refused("show", "stderr", key, "nobody") == (
        f"'nobody' did not play match {key}, but sh12@1 did"
    )
    assert (
        house.done("show", "stderr", key, "sh12") == "sh12 wrote nothing to standard error there\n"
    )


def test_a_question_can_be_asked_many_times_and_its_answers_are_counted(
    house: Home,
) -> None:
    house.tournament(QUICK)
    house.done("run")
    key = "small/0001/t01/r1/a"
    asked = re.search(r"turn (\d+) +\d+ [2-9TJQKA]{2,} ", house.done("replay", key, "--questions"))
    assert asked
    question = (key, 1, asked[1])
    steady = house.bot(stage.shell("steady", 17))
    shown = house.done("repro", *question, steady, "--times", 3)
    assert re.search(r"[SDH]\b.* 3 +ok", shown)
    assert "gave the same answer 3 times" in shown
    lots = "case $(od -An -N1 -tu1 /dev/urandom) in *[02468]) echo S ;; *) echo H ;; esac\n"
    fickle = house.bot(stage.Bot("fickle", "argv", "shell", lots))
    shown = house.done("repro", *question, fickle, "--times", 20)
    counts = [
        int(count) for count in re.findall(r"^ *[SH](?: \*)? +(\d+) +ok", shown, re.MULTILINE)
    ]
    assert len(counts) >= 2
    assert sum(counts) == 20
    assert "gave 2 different answers to one question in 20 fresh sandboxes" in shown
    assert "--times needs a BOT" in house.refused("repro", *question, "--lines", "--times", 2)


def test_the_matches_of_a_tournament_are_listed_by_its_name(partners: Home) -> None:
    partners.tournament(
        "name: small\ngame: spades\noptions: one_round\nformat: {contest: {rounds: 2}}\n"
    )
    partners.done("run")
    listed = partners.done("replay", "small")
    assert re.search(r"small/0001/t01/r2/a +(first|last) v1 [+-]", listed)
    assert "small/0001/t01/r1/a" in listed
    assert partners.refused("replay", "large") == "nothing is stored of the tournament 'large'"


def test_a_match_of_several_games_is_shown_whole_or_game_by_game(partners: Home) -> None:
    partners.tournament(
        "name: small\ngame: spades\noptions: one_round\nformat: {contest: {rounds: 1}}\n"
    )
    partners.done("run")
    key = "small/0001/t01/r1/a"
    whole = partners.done("replay", key)
    second = partners.done("replay", key, "--game", 2)
    assert whole.count("the end") == 2
    assert second.count("the end") == 1
    assert second.startswith("game 2 of 2, the same cards with the seats rotated\n")
    assert whole.endswith(second)
    assert "cards  score" not in whole  # hands are open once the game is over
    assert partners.refused("replay", key, "--game", 3) == (
        f"match {key} has 2 games; there is no game 3"
    )


def test_a_question_is_saved_to_a_file_and_put_again_where_there_is_no_database(
    house: Home, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bad = stage.Bot(
        "bad", "argv", "shell", '[ "$1" = 21 ] && echo S || { echo my fault >&2; exit 3; }\n'
    )
    house.done("submit", house.bot(bad), "--author", "eve", "--unchecked")
    house.tournament(QUICK + "entrants: [bad, sh12]\n")
    house.done("run")
    again = re.search(r"arena repro (\S+ 1 \d+)", house.done("replay", "small/0001/t01/r1/a"))
    assert again
    question = again[1].split()
    assert house.done("repro", *question, "--save", "q.json").startswith(
        "saved the question of turn "
    )
    there = house.done("repro", *question, house.bots / "sh12")
    asked = re.search(r"asked: (.*)", there)
    assert asked
    assert house.done("repro", "q.json", "--lines").splitlines()[-1] == asked[1]

    elsewhere = Home(tmp_path_factory.mktemp("elsewhere"))
    (elsewhere.folder / "q.json").write_bytes((house.folder / "q.json").read_bytes())
    here = elsewhere.done("repro", "q.json", elsewhere.bot(stage.shell("sh12", 12)))
    assert not elsewhere.database.exists()
    for said in (there, here):
        assert re.search(r"^ *verdict +crash: exited with code 3 +ok", said, re.MULTILINE)
    assert "standard error then:\nmy fault" in here
    assert "standard error now" not in here
    assert "not found" in elsewhere.refused("repro", "q.json", "sh12")
    assert "expected FILE BOT, SEASON.zip BOT, or [SEASON.zip] MATCH" in elsewhere.refused(
        "repro", "q.json"
    )
    assert "not found" in elsewhere.refused("repro", *question, "bots/sh12")


def test_repro_says_what_it_expects(house: Home) -> None:
    bot = "bots/sh12"
    assert "nosuch.json: can't be read: No such file" in house.refused("repro", "nosuch.json", bot)
    (house.folder / "odd.json").write_text("{}")
    assert house.refused("repro", "odd.json", bot).startswith("odd.json: is not a question file")
    assert "two numbers after the match" in house.refused("repro", "a/b", "one", "2", bot)
    assert "nor is there a folder or an archive 'x'" in house.refused("repro", "odd.json", "x")


def test_a_game_is_stepped_through_in_a_terminal(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run")
    key = "small/0001/t01/r1/a"
    terminal = Terminal(house, "replay", key, "--watch")

    def press(keys: str, shown: str) -> None:
        """Press keys until the screen shows something new."""
        before = terminal.screen.count(shown)
        terminal.press(keys)
        wait_for(lambda: terminal.screen.count(shown) > before)

    wait_for(lambda: "space plays" in terminal.screen)
    assert "hand 1 of 5" in terminal.screen
    press("\x1b[C", "step 2 of ")
    press("\x1b[D", "step 1 of ")
    press(".", "hand 2 of 5")
    press(",", "hand 1 of 5")
    press("++++ ", "playing at 10×")
    wait_for(lambda: "the end" in terminal.screen)
    press("\x1b[H", "step 1 of ")
    terminal.press("q")
    assert terminal.end() == 0


def test_a_game_is_shown_beside_another_one_of_its_board_only(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run")
    key = "small/0001/t01/r1/a"
    assert "--watch needs a terminal" in house.refused("replay", key, "--watch")
    assert "are not two games of one board" in house.refused("replay", key, "--beside", "1")
