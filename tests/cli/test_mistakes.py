"""What is said of a command that can't be carried out: one sentence, exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.tests.cli.home import Home
from card_arena.tests.ports import free_port

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--folder", "nowhere"], "there is no folder nowhere"),
        (["run"], "there is no tournament file (*.yaml) in tournaments"),
        (["replay", "small/0001/t01/r1/a"], "Database var/arena.db not found"),
        (["standings", "smal"], "Database var/arena.db not found"),
        (["verify", "smal"], "Database var/arena.db not found"),
        (["show", "bots"], "Database var/arena.db not found"),
        (["play", "chess", "a"], "there is no game 'chess': there are blackjack"),
        (["play", "blackjack", "ghost"], "no bot is called 'ghost'"),
        (["play", "spades", *"abc"], "this table of spades takes 2 or 4 bots, not 3"),
        (["play", "tarot", *"ab"], "this table of tarot takes 3 bots, not 2"),
        (
            ["play", "blackjack", *"abcde"],
            "this table of blackjack takes 1, 2, 3 or 4 bots, not 5",
        ),
        (
            ["play", "durak", *"abcdef", "--option", "deck=24"],
            "this table of durak takes 2, 3 or 4 bots, not 6",
        ),
        (["play", "blackjack", "./ghost"], "ghost: ghost does not exist"),
        (["submit", "ghost", "--author", "ada"], "ghost: ghost does not exist"),
        (["submit", ".", "--author", "ada"], ".: there is no bot.yaml"),
        (["show", "bots", "--database", "mysql://x"], "'mysql://x' is not a database address"),
        (["play", "blackjack", "x", "--database", "sqlite:////proc/x/y"], "can't be made"),
    ],
)
def test_a_mistake_gets_one_sentence(home: Home, arguments: list[str], sentence: str) -> None:
    said = home.refused(*arguments)
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not any(word in arguments for word in ("bots", "verify")) or not home.database.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["replay", "small/0001/t01/r1/a"], "no match 'small/0001/t01/r1/a' is stored"),
        (["standings", "smal"], "nothing is stored of the tournament 'smal'"),
        (["verify", "smal"], "nothing is stored of the tournament 'smal'"),
    ],
)
def test_what_is_not_stored_is_told(house: Home, arguments: list[str], sentence: str) -> None:
    assert sentence in house.refused(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--seed", "abc"],
        ["run", "--seed", "00" * 32],
        ["serve", "--port", "99999"],
        ["serve", "--public", "cards.example/arena"],
        ["play", "blackjack"],
        ["check", "ghost"],
        ["dance"],
    ],
)
def test_a_wrong_word_gets_the_usage(home: Home, arguments: list[str]) -> None:
    assert home.refused(*arguments).startswith("Usage: ")


def test_a_mistake_gets_exit_code_2_from_the_program_too(home: Home) -> None:
    code, output, errors = home.run("standings", "smal")
    assert (code, output) == (2, "")
    assert errors.startswith("Database var/arena.db not found. ")


def test_a_database_that_is_out_of_reach_is_no_mistake_and_gets_exit_code_1(home: Home) -> None:
    """So a service is started again; a file that is no database is left to people."""
    nobody = f"postgresql+psycopg://ada@127.0.0.1:{free_port()}/arena"
    code, output, errors = home.run("show", "bots", "--database", nobody)
    assert (code, output) == (1, "")
    assert " is out of reach: " in errors
    home.database.parent.mkdir()
    home.database.write_text("no database")
    assert "is not a SQLite database" in home.refused("show", "bots")


@pytest.mark.parametrize("command", ["--help", "show games", "show languages", "check --help"])
def test_a_reader_that_goes_before_the_end_is_no_error(command: str) -> None:
    """As `arena show games | head -1` has one."""
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-c", "from card_arena.arena import main; main()", *command.split()]
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(words, cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, text=True)
    assert done.stderr == ""
