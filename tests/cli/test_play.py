"""`play`: one table, now, and nothing of it is kept."""

from __future__ import annotations

import re
import sqlite3

import pytest

from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.tournament import stage

ONE_ROUND = ("--option", "max_rounds=1")
AGAINST = [("first", "last"), ("last", "first")]


def test_one_table_is_played_now_and_shown(house: Home) -> None:
    guest = house.bot(stage.shell("guest", 17))
    shown = house.done("play", "blackjack", guest, "sh12", "--options", "hands=1")
    assert "hand 1 of 1" in shown
    assert re.search(r"dealer +\S+[♣♦♥♠] ░░", shown)
    assert "sh12 v1" in shown
    seed = re.search(r"--seed ([0-9a-f]{64})", shown)
    assert seed
    again = ("play", "blackjack", guest, "sh12", "--options", "hands=1", "--seed", seed[1])
    assert house.done(*again) == shown
    assert house.done("standings") == "nothing has been played yet\n"


def test_two_bots_are_their_own_partners_at_one_table(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND)
    assert re.search(r"^[> ] first v1 \(seat 2\) +13 cards", shown, re.MULTILINE)
    assert len(re.findall(r"^  [12]   (?:first|last) v1", shown, re.MULTILINE)) == 2


def test_four_bots_play_two_against_two(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", "first", "last", *ONE_ROUND)
    ranks = re.findall(r"^  ([0-9])   (first|last) v1", shown, re.MULTILINE)
    assert ranks in ([("1", a), ("1", a), ("2", b), ("2", b)] for a, b in AGAINST)


def test_the_same_cards_are_played_again_with_the_seats_turned(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND, "--duplicate")
    first, second = shown.split("game 2 of 2, the same cards with the seats rotated\n")
    assert first.startswith("game 1 of 2\nround 1\n")
    assert "first v1 (seat 0)" in first
    assert "last v1 (seat 0)" in second


def test_hands_are_shown_while_a_game_goes_on_only_when_asked_for(partners: Home) -> None:
    table = ("play", "spades", "first", "last", "--preset", "one_round")
    closed, opened = partners.done(*table), partners.done(*table, "--open")
    assert re.search(r"13 cards +(deals|bid)", closed)
    assert not re.search(r"13 cards +score", opened)


def test_every_question_can_be_shown(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND, "--questions")
    assert shown.count("    asked     spades bid 0..13 ") == 4
    assert shown.count("    asked     spades play ") == 52


def test_a_bot_of_another_game_is_not_seated(partners: Home) -> None:
    assert partners.refused("play", "durak", "first", "last") == (
        "first v1 plays spades and not durak"
    )
    assert partners.refused("play", "spades", "first", "last", "--preset", "poker") == (
        "'poker' is not a preset of spades: expected one of standard, paper, paper_500, one_round,"
        " openspiel"
    )


def test_a_table_with_open_hands_says_that_it_is_not_rated(partners: Home) -> None:
    shown = partners.done(
        "play", "spades", "first", "last", *ONE_ROUND, "--option", "open_hands=true"
    )
    assert shown.startswith("unrated: its results count for no rating\n")


def test_a_table_is_as_a_contest_has_it(house: Home) -> None:
    house.tournament(
        QUICK.replace("question: 20s", "question: 80ms")
        + "options: {hands: 2}\nstrikes: {limit: 1}\n"
    )
    slow = house.bot(stage.Bot("slow", "argv", "shell", "sleep 0.3\necho S"))
    shown = house.done("play", "tournaments/small.yaml", slow)
    assert "slow (struck out)" in shown
    assert re.search(r"hands won \d of 2", shown)
    other = house.done("play", "tournaments/small.yaml", slow, "--option", "hands=1")
    assert re.search(r"hands won \d of 1", other)
    assert "struck out" not in house.done("play", "blackjack", slow, "--option", "hands=1")


def test_a_contest_that_is_not_there_has_no_table(house: Home) -> None:
    assert house.refused("play", "large.yaml", "sh12") == (
        "large.yaml: can't be read: No such file or directory"
    )
    house.tournament("name: small\ngame: blackjack\nseats: 9\n")
    assert house.refused("compare", "tournaments/small.yaml", "sh12", "sh16").startswith(
        "tournaments/small.yaml:3:8: seats must be from 1 to 4"
    )


def test_a_table_without_sandboxes_says_so_aloud(home: Home) -> None:
    guest = home.bot(stage.shell("guest", 17))
    code, output, errors = home.run("play", "blackjack", guest, "--sandbox", "bare")
    assert code == 0
    assert "the end" in output
    assert errors.startswith(
        "without a sandbox: every bot can read and change anything that you can"
    )


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("hand=1", "is not an option of blackjack; options are key=value: did you mean hands?"),
        ("hands", "is not an option"),
        ("x=1", "there are start_chips, hands, "),
        ("hands=0", "hands=0: "),
    ],
)
def test_wrong_options_of_a_table_are_told(house: Home, option: str, sentence: str) -> None:
    assert sentence in house.refused("play", "blackjack", "sh12", "--options", option)


def test_a_bot_whose_files_in_the_store_are_no_good_is_told_so(house: Home) -> None:
    with sqlite3.connect(house.database) as database:
        database.execute("update versions set archive = x'78' where bot_id = 1")
        name = database.execute("select name from bots where id = 1").fetchone()[0]
    database.close()
    said = f"{name} v1 can't be read from the store: not a bot: expected a folder, a zip"
    assert said in house.refused("play", "blackjack", name, "sh20")
    assert said in house.refused("compare", "blackjack", "sh20", name)
    assert said in house.refused("repro", "small/0001/t01/r1/a", 1, 1, name)
