"""`sit`: a person plays in a terminal, and the process that plays the tables of others."""

from __future__ import annotations

import os
import re
import signal
from contextlib import closing, suppress

import psutil
import pytest

from card_arena.commands.hosting import hosting
from card_arena.results.store import Store
from card_arena.tests.cli.home import PATIENCE, QUICK, Home, wait_for
from card_arena.tests.cli.terminals import Terminal
from card_arena.tests.tournament import stage

HANDS = ("--option", "hands=2")
KEY = re.compile(r"stored as table (\w{12})")


def test_a_whole_game_is_played_in_a_terminal_and_replayed(house: Home) -> None:
    terminal = Terminal(house, "sit", "blackjack", "sh12", *HANDS)
    wait_for(lambda: "your answer" in terminal.screen)
    terminal.answer("?", "X", "B 999")
    while not terminal.is_over:
        terminal.answer("1")
    assert terminal.end() == 0
    screen = terminal.screen
    assert "no hint: no bot of this database has a rating in this game" in screen
    assert "'X' is not allowed now: expected S, H, D or B 1 to B 190" in screen
    assert "'B 999' is not allowed now" in screen
    commitment = re.search(r"commitment of pack 0: ([0-9a-f]{64})", screen)
    assert commitment
    assert "pack 0 is as committed: key " in screen
    key = KEY.search(screen)
    assert key
    shown = house.done("replay", key[1])
    assert "hand 2 of 2" in shown
    assert "sh12" in shown


def test_a_game_that_was_left_is_resumed(house: Home) -> None:
    code, output, _ = house.run("sit", "blackjack", "sh12", *HANDS, stdin="1\nq\n")
    assert code == 0
    key = output.split("--resume ")[1].strip()
    assert "is not over" in house.refused("replay", key)
    code, output, _ = house.run("sit", "--resume", key, stdin="1\n" * 20)
    assert code == 0
    assert f"stored as table {key}" in output
    assert f"Use `arena replay {key}`" in house.refused("sit", "--resume", key)


def test_a_partner_and_opponents_are_two_bots(partners: Home) -> None:
    code, output, _ = partners.run(
        *("sit", "spades", "last", "first", "--option", "max_rounds=1"), stdin="4\nq\n"
    )
    assert code == 0
    for name in ("first v1 (seat 1)", "first v1 (seat 3)", "last v1 "):
        assert name in output


def test_cards_can_be_typed_as_they_are_shown(partners: Home) -> None:
    words = ("sit", "spades", "first", "--option", "max_rounds=1")
    _, output, _ = partners.run(*words, stdin="4\nq\n")
    card = re.search(r"allowed: 1\) (\S+) ", output)
    assert card
    key = output.split("--resume ")[1].strip()
    _, output, _ = partners.run("sit", "--resume", key, stdin=f"{card[1]}\nq\n")
    assert f": {card[1]}\n" in output
    assert "is not allowed" not in output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("sit",), "name a game and at least one bot, or --resume KEY"),
        (("sit", "blackjack"), "name a game and at least one bot, or --resume KEY"),
        (("sit", "blackjack", "--resume", "x"), "--resume needs no game"),
        (("sit", "--resume", "x"), "No table 'x'"),
        (("sit", "whist", "sh12"), "whist"),
        (("sit", "blackjack", "nobody"), "no bot is called 'nobody'"),
        (("sit", "spades", "sh12"), "plays blackjack and not spades"),
        (("sit", "blackjack", *["sh12"] * 4), "4 bots and you can't play blackjack together"),
    ],
)
def test_a_mistake_is_named(house: Home, words: tuple[str, ...], reason: str) -> None:
    assert reason in house.refused(*words)


def hosts(process: int) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(process).children():
        with suppress(psutil.Error):  # it has just ended
            if "card_arena.commands.hosting" in " ".join(child.cmdline()):
                found.append(child)
    return found


def test_run_starts_the_host_again_when_it_dies_and_ends_it(house: Home) -> None:
    house.tournament(QUICK)
    (house.folder / "arena.yaml").write_text("play: {who: everybody}\n")
    running = house.start("run")
    family: list[psutil.Process] = []
    try:
        wait_for(lambda: hosts(running.pid))
        (first,) = hosts(running.pid)
        first.kill()
        wait_for(lambda: first.pid not in [host.pid for host in hosts(running.pid)])
        wait_for(lambda: hosts(running.pid))
        family = psutil.Process(running.pid).children(recursive=True)
        (second,) = hosts(running.pid)
        wait_for(lambda: second.nice() > psutil.Process(running.pid).nice() or os.nice(0) == 19)
    finally:
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=PATIENCE)
    assert "the process of the tables ended (exit code -9); starting it again" in errors
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


def test_nobody_plays_unless_the_organiser_says_so(
    house: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(house.folder)
    with closing(Store(f"sqlite:///{house.database}")) as store, hosting(store) as plays:
        assert not plays
        assert not hosts(os.getpid())


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("{who: all}", "must be one of nobody, members, everybody"),
        ("{who: members}", "set `accounts:`"),
        ("{tables: 0}", "must be at least 1"),
        ("{seats: 3}", "seats"),
    ],
)
def test_a_mistake_in_the_settings_is_named(house: Home, play: str, reason: str) -> None:
    (house.folder / "arena.yaml").write_text(f"play: {play}\n")
    refusal = house.refused("run")
    assert "arena.yaml:1" in refusal
    assert reason in refusal


def test_a_bot_of_a_folder_plays_again_after_an_interruption(home: Home) -> None:
    folder = home.bot(stage.shell("mine", 15))
    code, output, _ = home.run("sit", "blackjack", f"{folder}", *HANDS, stdin="")
    assert code == 0
    key = output.split("--resume ")[1].strip()
    code, output, _ = home.run("sit", "--resume", key, stdin="1\n" * 20)
    assert code == 0
    assert "mine" in output
