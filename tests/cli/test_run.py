"""`run`, `standings` and `verify`: seasons from a folder of tournament files."""

from __future__ import annotations

import re
import signal
import sqlite3

import psutil
import pytest

from card_arena.leaderboard.web.app import create_app
from card_arena.tests.cli.home import LONG, PATIENCE, QUICK, Home, wait_for
from card_arena.tests.tournament import stage


def test_from_a_folder_of_bots_to_the_standings(house: Home) -> None:
    assert re.search(r"sh12 v1 +ada +blackjack +shell", house.typed("show", "bots"))
    house.tournament(QUICK)
    output = house.typed("run")
    assert "small, season 1 (finished)" in output
    assert output.count("sh16 v1") == 1
    assert house.typed("standings", "small") == house.typed("standings")
    checked = house.typed("verify")
    assert "4 matches replayed" in checked
    assert "everything is as it was stored" in checked
    seed = re.search(r"seed +([0-9a-f]{64})", checked)
    assert seed


def test_nothing_is_played_twice_and_the_standings_are_shown_again(house: Home) -> None:
    house.tournament(QUICK)
    first = house.done("run")
    again = house.done("run")
    assert "season 1 begins" in first
    assert "season 1 begins" not in again
    assert "small, season 1 (finished)" in again


def test_once_plays_a_new_season_with_the_seed_that_was_given(house: Home) -> None:
    house.tournament(QUICK)
    for _ in range(2):
        house.done("run", "--once", "small", "--seed", stage.SEED.hex())
    assert house.done("verify").count(f"seed      {stage.SEED.hex()}") == 2


def test_a_season_of_open_hands_is_shown_without_ratings(partners: Home) -> None:
    options = "options: {max_rounds: 1, open_hands: true}"
    partners.tournament(
        f"name: small\ngame: spades\n{options}\nformat: {{contest: {{rounds: 1}}}}\n"
    )
    output = partners.done("run")
    assert "small is unrated: its results count for no rating" in output
    table = partners.done("standings")
    unrated = "unrated: its results count for no rating"
    assert unrated in table
    assert "rating" not in table.replace(unrated, "")


def test_every_mistake_of_a_file_is_told_and_nothing_is_started(home: Home) -> None:
    home.tournament("name: small\ngame: blackjack\nseats: 7\nsandbox: paper\n")
    lines = home.refused("run").splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        "tournaments/small.yaml:3:8:",
        "tournaments/small.yaml:4:10:",
    ]


def test_an_unknown_tournament_is_told_with_the_one_that_was_meant(home: Home) -> None:
    home.tournament(QUICK)
    assert "did you mean small?" in home.refused("run", "--once", "smal")


def test_unknown_entrants_are_told_with_the_ones_that_were_meant(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12, sh61]\n")
    said = house.refused("run")
    assert "no bot is called 'sh61'; did you mean sh16" in said
    assert re.match(r"tournaments/small\.yaml:\d+:\d+: no bot", said)


def test_verify_tells_of_damage_without_a_traceback(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--until-idle")
    with sqlite3.connect(house.database) as database:
        database.execute("update seasons set settings = '{}'")
    database.close()
    code, _, errors = house.run("verify")
    assert code == 1
    assert "small: the settings of a season can't be read any more: name: Field required" in errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_ends_at_once_with_all_it_started(
    house: Home, number: signal.Signals
) -> None:
    house.tournament(LONG)
    running = house.start("run")
    wait_for(lambda: stage.sandboxes(running.pid))
    family = psutil.Process(running.pid).children(recursive=True)
    running.send_signal(number)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("interrupted; everything stored is kept\n")
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


def test_a_run_that_waits_says_for_what_and_ends_at_once(home: Home) -> None:
    home.tournament(QUICK + "schedule: {cron: '0 0 29 2 *'}\n")
    assert home.done("run", "--until-idle") == ""
    running = home.start("run")
    assert running.stdout is not None
    assert re.match(r"next: small at \w{3} 2\d Feb \d{4}, ", running.stdout.readline())
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("interrupted; everything stored is kept\n")


def test_a_tournament_that_waits_for_its_first_season_is_told_with_who_would_play(
    house: Home,
) -> None:
    house.tournament(QUICK + "schedule: {cron: '30 20 29 2 *', zone: Asia/Yerevan}\n")
    house.done("run", "--until-idle")
    lines = house.done("standings", "small").splitlines()
    assert lines[0] == "small, season 1 (not started)"
    assert re.fullmatch(
        r"  begins   \w+ 29 Feb \d{4}, 20:30 Asia/Yerevan \(16:30 UTC\);"
        r" until then bots can be entered",
        lines[2],
    )
    assert lines[3] == "  entered  sh12 v1, sh16 v1, sh20 v1"
    house.done("run", "--once", "small")
    assert "small, season 1 (finished)" in house.done("standings")


def test_the_standings_say_how_sure_they_are_by_the_same_numbers_as_the_pages(
    house: Home,
) -> None:
    house.tournament(QUICK.replace("legs: 2", "legs: 7"))
    house.done("run", "--once", "small", "--seed", "07" * 32)  # cards of which one bot makes most
    table = " ".join(house.done("standings").split())
    app = create_app(f"sqlite:///{house.database}")
    page = " ".join(re.sub("<[^>]*>", " ", app.test_client().get("/t/small").text).split())
    app.extensions["arena"].store.close()
    (here,) = re.findall(r"(\S+) is ((?:over |under )?\d+ %) sure to be the best of 3", table)
    (there,) = re.findall(
        r"(\S+) leads and is ((?:over |under )?\d+ %) sure to be the best of these 3", page
    )
    assert here == there
    ties = re.findall(r"\b[123] (\d)-(\d) sh", table)
    assert ties == re.findall(r"\b[123] tie (\d) to (\d) sh", page)


def test_a_second_run_on_one_database_is_refused(house: Home) -> None:
    house.tournament(LONG)
    running = house.start("run")
    try:
        wait_for(lambda: stage.sandboxes(running.pid))
        code, _, told = house.run("run")
        assert (code, "another arena is playing the tournaments of" in told) == (1, True)
        wait_for(lambda: re.search(r"\(running, \d+ of \d{5} matches\)", house.done("standings")))
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)
