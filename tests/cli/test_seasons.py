"""What an organiser does to seasons from a shell, and how the terminal and the pages tell of it."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing

from card_arena.leaderboard.web.app import create_app
from card_arena.results.store import Store
from card_arena.tests.cli.home import LONG, PATIENCE, QUICK, Home, wait_for
from card_arena.tests.tournament import stage


def text_of(home: Home, path: str) -> str:
    app = create_app(f"sqlite:///{home.database}")
    try:
        answer = app.test_client().get(path, follow_redirects=True)
        assert answer.status_code == 200
        return answer.get_data(as_text=True)
    finally:
        app.extensions["arena"].store.close()


def test_a_match_that_could_not_be_played_is_told_of_on_the_page_and_in_the_terminal(
    house: Home,
) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    key, why = "small/0001/t09/r9/z", "no bot alone explains it"
    with closing(Store(f"sqlite:///{house.database}")) as store:
        (season,) = store.seasons("small")
        store.intervene(season.id, store.proposed(season, "unplayed", why, key=key))
        store.note_no_sandbox(season.id, 7, "sandboxes fail because of it")
    assert f"match {key} could not be played and counts for nobody on " in house.done(
        "standings", "small"
    )
    page = text_of(house, "/t/small/1")
    assert '1 match could not be played and does not count: <a href="#interventions">' in page
    assert f"The match {key} could not be played and counts for nobody" in page
    assert f"/match/{key}" not in page, "it has no page"
    ledger = house.done("ledger", "show", "small")
    assert f"left out {key}: {why}" in ledger
    assert "no sandbox for version 7: sandboxes fail because of it" in ledger


def test_a_match_and_a_season_are_annulled_and_stay_where_they_are(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    key = "small/0001/t01/r1/a"
    said = house.done("season", "annul", key, "--reason", "the power failed")
    assert said == f"match {key} is annulled: the power failed\n"
    assert f"match {key} was annulled on " in house.done("standings", "small")
    assert "This match was annulled and does not count: the power failed" in text_of(
        house, f"/match/{key}"
    )
    assert house.done("season", "annul", "small/1", "--reason", "a <trial> only") == (
        "season 1 of small is annulled: a <trial> only\n"
    )
    page = text_of(house, "/t/small/1")
    assert "This season was annulled and does not count" in page
    assert "a &lt;trial&gt; only" in page
    assert "small, season 1 (annulled" in house.done("standings", "small")
    assert "everything is as it was stored" in house.done("verify")
    assert house.done("season", "annul", key, "--reason", "again") == said


def test_only_what_was_played_is_annulled_and_only_with_a_reason(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    assert "expected a match of small, such as small/0003/t02/r1/a" in house.refused(
        "season", "annul", "small", "--reason", "x"
    )
    assert "small has no season 2: its newest is 1" in house.refused(
        "season", "annul", "small/2", "--reason", "x"
    )
    assert "no match 'small/0001/t09/r1/a' is stored" in house.refused(
        "season", "annul", "small/0001/t09/r1/a", "--reason", "x"
    )
    assert "a reason must have 1 to 300 characters" in house.refused(
        "season", "annul", "small/1", "--reason", " "
    )
    assert "nothing was played of a tournament 'other'" in house.refused(
        "season", "expel", "other", "sh12", "--reason", "x"
    )
    assert "no season of small is being played" in house.refused(
        "season", "expel", "small", "sh12", "--reason", "x"
    )


def test_a_paused_tournament_is_not_played_until_it_is_resumed(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    assert (
        house.done("season", "pause", "small", "--reason", "an exam")
        == "small is paused: an exam\n"
    )
    assert "small is paused: an exam (`arena season resume small` resumes it)" in house.refused(
        "run", "--once", "small"
    )
    assert "small is paused: an exam" in house.done("standings", "small")
    assert "small is paused: an exam" in text_of(house, "/t/small/1")
    assert house.done("season", "resume", "small") == "small is resumed\n"
    assert "season 2" in house.done("run", "--once", "small")


def test_a_bot_is_moved_and_its_old_address_margins_to_it(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    said = house.done(
        "bot", "move", "sh12", "--name", "dozen", "--author", "bob", "--reason", "a typo"
    )
    assert said == "sh12 is dozen of bob from now on\n"
    page = text_of(house, "/bot/sh12")
    assert "<h1>dozen" in page
    assert "it was sh12 of" in page
    assert (
        "the bot sh12 is called dozen now"
        in house.run("submit", house.bots / "sh12", "--author", "ada", "--unchecked")[2]
    )
    assert "a bot's name must be 1 to 32" in house.refused(
        "bot", "move", "dozen", "--name", "A b", "--reason", "x"
    )
    assert "say what changes" in house.refused("bot", "move", "dozen", "--reason", "x")
    assert "everything is as it was stored" in house.done("verify")


def test_a_bot_is_expelled_by_the_program_that_plays(house: Home) -> None:
    house.tournament(LONG)

    def matches() -> int:
        with closing(sqlite3.connect(house.database)) as database:
            return int(database.execute("SELECT count(*) FROM matches").fetchone()[0])

    playing = house.start("run", "--once", "small")
    try:
        wait_for(lambda: house.database.exists() and matches() > 2)
        expelling = house.start(
            "season", "expel", "small", "sh12", "--reason", "it was not its author's"
        )
        said, _ = expelling.communicate(timeout=PATIENCE)  # and what it waits for, if that is long
        assert expelling.returncode == 0
        assert said == "sh12 v1 is expelled from season 1 of small: it was not its author's\n"
        before = matches()
        wait_for(lambda: matches() > before + 2)
    finally:
        playing.send_signal(signal.SIGINT)
        playing.communicate()
    shown = house.done("standings", "small")
    assert "sh12 v1 was expelled on " in shown
    assert "was expelled in" in text_of(house, "/bot/sh12")


def test_several_bots_join_or_leave_a_season_at_once_or_none_does(house: Home) -> None:
    house.tournament(
        "name: small\nsame_author: together\ngame: blackjack\nrequire: []\n"
        "entrants: [sh12, sh16, sh20]\nseats: 2\noptions: {hands: 5}\n"
        "format: {league: {meetings: 200}}\n"
    )

    def matches() -> int:
        with closing(sqlite3.connect(house.database)) as database:
            return int(database.execute("SELECT count(*) FROM matches").fetchone()[0])

    playing = house.start("run", "--once", "small")
    wait_for(lambda: house.database.exists() and matches() > 2)
    playing.send_signal(signal.SIGINT)
    playing.communicate()
    for late in ("late", "later"):
        house.done("submit", house.bot(stage.shell(late, 17)), "--author", late, "--unchecked")
    nothing = "nothing was done: correct these names or leave them out"
    why = ("--reason", "the organiser's mistake")
    refused = house.refused("season", "admit", "small", "late", "sh12", *why)
    assert refused.splitlines()[1:] == [nothing]
    assert "sh12" in refused
    refused = house.refused("season", "expel", "small", "sh12", "late", "nobody", *why)
    assert "late" in refused
    assert "nobody" in refused
    assert refused.splitlines()[2:] == [nothing]
    assert "expelled" not in house.done("standings", "small")
    assert house.done("season", "admit", "small", "late", "later", *why) == (
        "late v1 is admitted to season 1 of small\nlater v1 is admitted to season 1 of small\n"
    )
    assert house.done("season", "expel", "small", "sh12", "late", *why) == (
        "sh12 v1 is expelled from season 1 of small: the organiser's mistake\n"
        "late v1 is expelled from season 1 of small: the organiser's mistake\n"
    )
    assert house.done("standings", "small").count(" was expelled on ") == 2
