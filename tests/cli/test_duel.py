"""`duel` as an author types it: which of two bots is better."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

from card_arena.tests.cli.home import PATIENCE, Home
from card_arena.tests.tournament import stage


def test_a_duel_tells_two_versions_of_a_bot_apart(house: Home, tmp_path: Path) -> None:
    old, new = (
        stage.shell("mine", limit).write(tmp_path / place)
        for place, limit in (("old", 22), ("new", 17))
    )
    table = ("blackjack", new, old, "--option", "hands=2", "--boards", 30, "--seed", "5e" * 32)
    shown = house.done("compare", *table)
    assert re.search(r" [\d.]+% \([\d.]+% to [\d.]+%\) +\+[\d.]+ \(\+[\d.]+ to \+[\d.]+\) ", shown)
    assert "after 30 boards" in shown
    assert re.search(r"margin per game +less luck", shown)
    assert re.search(r"\) +\+[\d.]+ ±[\d.]+ ", shown)
    assert f"{new} is better than {old}: it leads by" in shown
    margins = re.compile(r"it leads by .*")
    assert margins.findall(house.done("compare", *table)) == margins.findall(shown)
    assert house.done("standings") == "nothing has been played yet\n"


def test_a_tournament_without_luck_has_none_in_a_duel(house: Home, tmp_path: Path) -> None:
    file = tmp_path / "plain.yaml"
    table = "name: plain\ngame: blackjack\nseats: 2\noptions: {hands: 1}\n"
    file.write_text(f"{table}less_luck: false\n")
    shown = house.done("compare", file, "sh12", "sh16", "--boards", 2)
    assert "margin per game" in shown
    assert "less luck" not in shown


def test_a_duel_shows_the_first_fault_with_its_question(house: Home) -> None:
    broken = house.bot(stage.Bot("broken", "argv", "shell", "echo oops >&2; exit 3"))
    shown = house.done("compare", "blackjack", broken, "sh12", "--option", "hands=1", "--boards", 1)
    assert "broken's first fault, on board 1: crash: exited with code 3" in shown
    assert re.search(r"^  asked:    \d+ \w+ ", shown, re.MULTILINE)
    assert "  answered: (nothing)\n  standard error of that game:\noops\n" in shown


def test_a_first_fault_that_is_forgiven_is_said_to_be(house: Home, tmp_path: Path) -> None:
    file = tmp_path / "forgiving.yaml"
    file.write_text(
        "name: forgiving\ngame: blackjack\nseats: 2\noptions: {hands: 3}\n"
        "strikes: {forgiven: [malformed, illegal]}\n"
    )
    clumsy = house.bot(stage.Bot("clumsy", "argv", "shell", "echo what"))
    shown = house.done("compare", file, clumsy, "sh12", "--boards", 1)
    assert "clumsy's first fault, on board 1: malformed, forgiven: " in shown


def test_two_bots_fill_a_table_of_three(tmp_path: Path) -> None:
    home = Home(tmp_path)
    pair = [
        home.bot(stage.legal(name, "tarot", which))
        for name, which in (("mine", "last"), ("theirs", "first"))
    ]
    shown = home.done("compare", "tarot", *pair, "--option", "deals=1", "--boards", 5)
    assert len(re.findall(r"^ +theirs ", shown, re.MULTILINE)) == 2
    assert re.search(r"mine is \w+ than the others|mine over the others|the same margin", shown)


def test_a_duel_that_is_stopped_says_what_it_has_seen(house: Home) -> None:
    guest = house.bot(stage.shell("guest", 17))
    words = ("compare", "blackjack", guest, "sh12", "--option", "hands=1", "--boards", 100_000)
    for seconds in (2, 9, 27, 80):  # it may take a while until the first board has been played
        process = house.start(*words)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        shown, complaint = process.communicate(timeout=PATIENCE)
        if re.search(r"after \d+ boards", shown):
            break
    assert re.search(r"after \d+ boards", shown)
    assert re.fullmatch(r"interrupted after \d+ of 100000 boards\n", complaint)
    assert process.returncode == 130
