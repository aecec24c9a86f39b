"""Tables as the host plays them: people among bots in real sandboxes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from card_arena.commands.hosting import PROGRAM
from card_arena.exhibitions.cards import is_as_committed
from card_arena.exhibitions.entries import Refused, SeatedBot
from card_arena.leaderboard.levels import board_table, conditions, levels
from card_arena.results.errors import Unwritable
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import GAMES
from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.cli.serving import answers
from card_arena.tests.exhibitions.house import (
    LIMITS,
    House,
    asked,
    check_record,
    hosting,
    line_of,
    opened,
    play_person,
    wait_for,
)
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run_once

ROOT = Path(__file__).parents[2]
SOON = LIMITS.model_copy(update={"away": 0.3})


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_game_and_its_record_and_cards_can_be_checked(
    house: House, game: str
) -> None:
    table, secret = house.tables.create(house.new_table(game))
    before = {deal.pack: deal for deal in house.tables.deals(table.key)}
    with hosting(house) as said:
        answers = play_person(house, table.key, secret)
    assert said == []
    assert answers > 2
    assert house.tables.table(table.key).state == "finished"
    check_record(house, table.key)
    deals = house.tables.deals(table.key)
    assert before[0].key is None
    assert before[0].commitment == deals[0].commitment
    assert all(map(is_as_committed, deals))


def test_keys_are_told_once_their_deals_are_over(house: House) -> None:
    table, secret = house.tables.create(house.new_table("tarot"))
    with hosting(house):
        wait_for(lambda: asked(house, table.key))
        first, coming = house.tables.deals(table.key)
        assert (first.key, first.cards, coming.key, coming.cards) == (None,) * 4
        person = threading.Thread(target=play_person, args=(house, table.key, secret))
        person.start()
        wait_for(lambda: len(house.tables.deals(table.key)) > 2)
        assert is_as_committed(house.tables.deals(table.key)[0])
        person.join()
    assert house.tables.deals(table.key)[0].commitment == first.commitment


@contextmanager
def host_process(house: House, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The host as `arena run` starts it; beside other tests one that yields would starve."""
    (folder / "arena.yaml").write_text("play:\n  who: everybody\n")
    environment = {**os.environ, "ARENA_DATABASE": house.url}
    program = f"from card_arena.commands import low_priority; low_priority.YIELDING = 0; {PROGRAM}"
    command = [sys.executable, "-P", "-c", program]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_host_that_is_killed_again_and_again_plays_one_consistent_game(
    house: House, tmp_path: Path
) -> None:
    table, secret = house.tables.create(house.new_table("blot"))
    person = threading.Thread(target=play_person, args=(house, table.key, secret))
    person.start()
    rng = random.Random(3)
    for turns in (6, 30):
        with host_process(house, tmp_path):
            wait_for(lambda turns=turns: len(house.tables.turns(table.key)) >= turns)
            time.sleep(rng.random() / 20)
    with host_process(house, tmp_path):
        person.join()
    check_record(house, table.key)


def test_a_host_that_closes_leaves_no_bot_running_and_its_games_to_the_next_one(
    house: House,
) -> None:
    def running() -> int:
        programs = psutil.Process().children(recursive=True)
        return sum("./bot.sh" in program.cmdline() for program in programs)

    table, secret = house.tables.create(house.new_table("spades"))
    with hosting(house) as said:
        wait_for(lambda: asked(house, table.key))
        assert running() == 3
    assert running() == 0
    assert house.tables.table(table.key).state == "playing"
    with hosting(house):
        play_person(house, table.key, secret)
    assert said == []
    check_record(house, table.key)


@contextmanager
def arena_up(home: Home, port: int) -> Iterator[None]:
    """A whole arena, whose processes are all killed at the end."""
    with home.said.open("a") as said:
        process = home.start("up", "--port", port, into=said)
    try:
        wait_for(lambda: answers(port))
        yield
    finally:
        family = psutil.Process(process.pid).children(recursive=True)
        for member in (process, *family):
            with suppress(psutil.NoSuchProcess):
                member.kill()
        process.wait()
        psutil.wait_procs(family)


def test_an_arena_that_is_killed_goes_on_with_its_tables(tmp_path: Path) -> None:
    need("bwrap")
    home, port, rng = Home(tmp_path), free_port(), random.Random(3)
    home.tournament(QUICK)
    (home.folder / "arena.yaml").write_text("play:\n  who: everybody\n")
    given: dict[int, str] = {}

    def page(path: str = "", data: bytes | None = None) -> str:
        address = f"http://127.0.0.1:{port}/table/{table.key}{path}"
        headers = {"Cookie": f"seat={secret}", "Accept": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(address, data, headers)) as answer:
            return str(answer.read().decode())

    def play_to(count: int) -> None:
        """Answer until so many answers have been accepted, or the game is over."""
        while len(given) < count and not house.tables.table(table.key).is_over:
            if (question := asked(house, table.key)) is None:
                time.sleep(0.02)
                continue
            turn, listed = question
            line = line_of(rng.choice(listed), rng)
            with suppress(urllib.error.HTTPError):  # it was answered before, and not played yet
                page("/answer", f"turn={turn}&line={line}".encode())
                given[turn] = line

    with opened(f"sqlite:///{home.database}", tmp_path) as house:
        for limit in (15, 17):
            stage.submit(house.store, stage.shell(f"lim{limit}", limit).write(home.bots))
        table, secret = house.tables.create(house.new_table("spades"))
        commitment = house.tables.deals(table.key)[0].commitment
        for count in (3, 9, 1000):
            with arena_up(home, port):
                wait_for(lambda: asked(house, table.key))
                assert 'id="answer"' in page(), "the seat is there by its cookie"
                play_to(count)
        check_record(house, table.key)
        played = house.tables.turns(table.key)
        assert {turn: played[turn].answer for turn in given} == given
        deals = house.tables.deals(table.key)
        assert deals[0].commitment == commitment
        assert all(map(is_as_committed, deals))


def test_the_host_ends_with_its_input(house: House, tmp_path: Path) -> None:
    table, _ = house.tables.create(house.new_table("spades"))
    with host_process(house, tmp_path) as process:
        wait_for(lambda: house.tables.turns(table.key))
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
        assert process.wait(timeout=20) == 0


def test_a_person_who_is_away_is_replaced_and_may_come_back(house: House) -> None:
    table, secret = house.tables.create(house.new_table("spades", options={"max_rounds": 1}))
    with hosting(house, SOON.model_copy(update={"away": 3.0})):
        wait_for(lambda: asked(house, table.key))
        turn, _ = asked(house, table.key) or (0, ())
        wait_for(lambda: house.tables.table(table.key).seats[0].away_since)
        wait_for(lambda: house.tables.position(table.key).number > turn)
        house.tables.back(table.key, secret)
        assert house.tables.table(table.key).seats[0].away_since is None
        assert play_person(house, table.key, secret) > 3
    check_record(house, table.key)


def test_a_game_whose_person_never_comes_is_played_to_its_end(house: House) -> None:
    table, secret = house.tables.create(house.new_table("spades", options={"max_rounds": 1}))
    with hosting(house, SOON):
        house.settled(table.key)
    check_record(house, table.key)
    turns = house.tables.turns(table.key)
    assert all(turn.fault is None for turn in turns)
    with pytest.raises(Refused, match="over"):
        house.tables.answer(table.key, secret, len(turns), "3")


def test_a_seat_that_is_left_is_played_by_its_bot(house: House) -> None:
    new = house.new_table("blackjack", 3, free_seats=frozenset({1}))
    table, secret = house.tables.create(new)
    assert table.code
    _, _, other = house.tables.join(table.code, "Bob")
    house.tables.start(table.key, secret)
    with hosting(house):
        wait_for(lambda: asked(house, table.key))
        house.tables.leave(table.key, other)
        play_person(house, table.key, secret)
    check_record(house, table.key)


def test_two_people_play_at_one_table(house: House) -> None:
    new = house.new_table("durak", 3, free_seats=frozenset({2}))
    table, secret = house.tables.create(new)
    assert table.code
    _, seat, other = house.tables.join(table.code, "Bob")
    house.tables.start(table.key, secret)
    with hosting(house):
        second = threading.Thread(target=play_person, args=(house, table.key, other, seat))
        second.start()
        play_person(house, table.key, secret)
        second.join()
    check_record(house, table.key)


def test_a_hint_is_what_the_named_bot_would_answer(house: House) -> None:
    champion = house.bot("spades")
    table, secret = house.tables.create(house.new_table("spades", hints=champion))
    with hosting(house):
        wait_for(lambda: asked(house, table.key))
        turn, listed = asked(house, table.key) or (0, ())
        assert house.tables.hint(table.key, secret, turn) is None
        wait_for(lambda: house.tables.hint(table.key, secret, turn))
        hint = house.tables.hint(table.key, secret, turn)
        assert hint == line_of(listed[0], random.Random(0)) or hint == "0"
        assert house.tables.position(table.key).number == turn


def test_tables_begin_in_order_and_no_more_than_may_be_played(house: House) -> None:
    made = [house.tables.create(house.new_table("spades")) for _ in range(3)]
    keys = [table.key for table, _ in made]

    def states() -> list[str]:
        return [house.tables.table(key).state for key in keys]

    with hosting(house, LIMITS.model_copy(update={"tables": 2})):
        wait_for(lambda: states().count("playing") == 2)
        assert states() == ["playing", "playing", "waiting"]
        house.tables.leave(keys[0], made[0][1])
        play_person(house, keys[1], made[1][1])
        wait_for(lambda: states()[2] == "playing")


def test_a_table_whose_sandboxes_break_is_tried_again_and_then_stopped(house: House) -> None:
    sleeper = stage.Bot("sleeper", "argv", "shell", "#!/bin/sh\nsleep 30\n")
    version = stage.submit(house.store, sleeper.write(Path(house.url[10:]).parent / "more"))
    bots = (SeatedBot(version.label, version.id),) * 2
    table, _ = house.tables.create(house.new_table("blackjack", bots=bots, seat=1))
    with stage.breaking_sandboxes(), hosting(house) as said:
        stopped = house.settled(table.key)
    assert (stopped.state, len(said)) == ("stopped", 4)
    assert stopped.reason.startswith("the arena failed: ")


def test_an_outage_of_the_database_is_waited_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, secret = house.tables.create(house.new_table("blackjack"))
    store, failures = type(house.tables), iter(range(1))
    as_usual = store.add_turn

    def add_turn(*words: object) -> bool:
        with suppress(StopIteration):
            raise Unwritable(f"the disk is full{next(failures)}")
        return as_usual(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "add_turn", add_turn)
    with hosting(house) as said:
        play_person(house, table.key, secret)
    assert said[0].startswith("the disk is full")
    check_record(house, table.key)


def played(house: House, tmp_path: Path) -> str:
    """Play a season of three bots; return the key of a match."""
    bots = [stage.shell(f"sh{limit}", limit) for limit in (5, 15, 17)]
    for bot in bots:
        stage.submit(house.store, bot.write(tmp_path / "rated"))
    settings = stage.tournament(entrants=["sh5", "sh15", "sh17"], seats=3, legs=1)
    run_once(house.store, settings, stage.Notes(), pool=stage.Here())
    (season,) = house.store.seasons("small")
    return house.store.results(season.id)[0].key


def test_levels_are_in_the_order_of_the_measured_strength(house: House, tmp_path: Path) -> None:
    house.bot("blackjack")
    assert [level.title for level in levels(house.store, "blackjack")] == ["blackjack-first"]
    assert conditions(house.store, "blackjack") == {}
    assert levels(house.store, "blackjack")[0].rating is None
    version = house.store.version("blackjack-first")
    house.store.note_build(version.id, ok=False, reason="a tool is missing here", log="")
    assert levels(house.store, "blackjack") == ()
    played(house, tmp_path)
    rated = levels(house.store, "blackjack")
    assert {level.title for level in rated} == {"sh5", "sh15", "sh17"}
    strengths = [level.rating.mu for level in rated if level.rating]
    assert strengths == sorted(strengths)
    assert [level.champion for level in rated] == [False, False, True]
    assert [*levels(house.store, "blackjack", most=2)] == [rated[0], rated[2]]
    assert conditions(house.store, "blackjack")["clock"]["question"] == "20s"
    house.store.withdraw(rated[2].title)
    assert rated[2].title not in [level.title for level in levels(house.store, "blackjack")]


def test_a_person_plays_a_stored_board_with_its_cards(house: House) -> None:
    version = house.bot("spades")
    folder = Path(house.url[10:]).parent / "more"
    stage.submit(house.store, stage.legal("last", "spades", "last").write(folder))
    settings = stage.tournament(
        game="spades", options={"max_rounds": 1}, entrants=["spades-first", "last"], seats=4
    )
    run_once(house.store, settings, stage.Notes(), pool=stage.Here())
    (season,) = house.store.seasons("small")
    key = house.store.results(season.id)[0].key
    new = board_table(house.store, key, 1, 2)
    table, secret = house.tables.create(new)
    with hosting(house):
        play_person(house, table.key, secret, 2)
    check_record(house, table.key)
    stored = house.store.records(key)[0]
    dealt = [turn.action for turn in stored.turns if turn.seat == CHANCE and "," in turn.action]
    assert house.tables.turns(table.key)[0].action == dealt[0]
    assert house.tables.deals(table.key)[0].given
    assert new.board is not None
    assert new.board.score == stored.over.scores[2]
    assert version in new.bots
