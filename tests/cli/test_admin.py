"""The admin pages, from the shell: people, limits, messages, plans, sheets."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.results.store import Store
from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.tournament import stage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    for name, team in (("Ann", "Red"), ("Bob", "Blue")):
        mail = f"{name.lower()}@example.org"
        home.done("people", "invite", "--name", name, "--email", mail, "--team", team)
    return home


def test_people_change_their_team_and_role_and_every_act_is_in_the_log(home: Home) -> None:
    home.done("people", "team", "ann@example.org", "Green")
    home.done("people", "role", "bob@example.org", "organiser")
    home.done("people", "rename-team", "Green", "Lime")
    assert home.done("people", "list").splitlines() == [
        "Ann <ann@example.org>: author, Lime",
        "Bob <bob@example.org>: organiser, Blue",
    ]
    nothing = home.refused("people", "suspend", "ann@example.org", "--reason", "")
    assert "a reason must have" in nothing
    home.done("people", "suspend", "ann@example.org", "--reason", "copied a bot")
    assert "suspended since" in home.done("people", "list")
    assert "is suspended" in home.refused("people", "link", "ann@example.org")
    home.done("people", "restore", "ann@example.org", "--reason", "it was another Ann")
    link = home.done("people", "link", "ann@example.org", "--public", "https://cards.example")
    assert re.search("https://cards.example/sign-in/\\S+$", link.strip())
    log = [
        re.sub(r"^\d+ \w{3} \d+ \w{3} \d{4}, [\d:]+ UTC ", "", line)
        for line in home.done("show", "log").splitlines()
    ]
    assert log[:3] == [
        "the arena's shell: make a link ann@example.org",
        "the arena's shell: restore ann@example.org (reason: it was another Ann) [done]"
        " ann@example.org can sign in again, with a new link",
        "the arena's shell: suspend ann@example.org (reason: copied a bot) [done]"
        " ann@example.org is suspended",
    ]
    assert "rename a team Green (to: Lime)" in home.done("show", "log", "--find", "rename")
    assert home.done("show", "log", "--most", "1").count("\n") == 1


def test_a_team_that_is_the_author_of_bots_keeps_its_name(home: Home) -> None:
    home.done("submit", home.bot(stage.shell("good", 17)), "--author", "Red")
    assert "Red" in home.done("people", "give-bots", "Red")
    assert "nobody called 'Blue' is the author" in home.refused("people", "give-bots", "Blue")
    assert "keeps its name" in home.refused("people", "rename-team", "Red", "Rot")
    assert "no team is called" in home.refused("people", "rename-team", "Nobodies", "Rot")
    assert "nobody has the address" in home.refused("people", "team", "x@example.org", "Red")


def test_somebody_is_invited_to_the_team_of_an_author_or_to_another_one(home: Home) -> None:
    home.done("submit", home.bot(stage.shell("good", 17)), "--author", "House")
    eve = ("people", "invite", "--email", "eve@example.org")
    refused = home.refused(*eve, "--team", "House")
    assert "House is the author of bots: choose another name for the team" in refused
    assert "eve@example.org" not in home.done("people", "list")
    assert "House is the author" in home.refused("people", "team", "ann@example.org", "House")
    assert "no" in home.refused(*eve, "--team-of", "Nobody")
    home.done(*eve, "--team-of", "House")
    assert "eve@example.org <eve@example.org>: author, House" in home.done("people", "list")
    assert "give an author House" in home.done("show", "log", "--find", "House")


def test_what_somebody_is_signed_in_with_is_ended_with_a_reason(home: Home) -> None:
    for command in ("sign-out", "unlink"):
        home.refused("people", command, "ann@example.org", "--reason", "")
        home.done("people", command, "ann@example.org", "--reason", "a lost laptop")
        assert "a lost laptop" in home.done("show", "log", "--most", "1")
    assert "nobody has" in home.refused("people", "sign-out", "x@example.org", "--reason", "lost")


def test_limits_are_set_shown_and_taken_back(home: Home) -> None:
    (home.folder / "arena.yaml").write_text("accounts: {a_day: 7, size: 1MiB, bots: 3}\n")
    usual = "everybody: 7 uploads in 24 hours, of 1MiB at most, 3 bots a team\n"
    assert home.done("people", "limits") == usual
    home.done(
        "people", "limits", "--a-day", "9", "--deadline", "2030-01-01T20:00", "--grace", "12h"
    )
    assert re.fullmatch(
        r"everybody: 9 uploads in 24 hours, of 1MiB at most, 3 bots a team,"
        r" until Tue 1 Jan 2030, 20:00 UTC, in \d+ d[^,]*, late ones until Wed 2 Jan 2030,"
        r" 08:00 UTC\n",
        home.done("people", "limits"),
    )
    assert "Red: 20 uploads" in home.done("people", "limits", "--team", "Red", "--a-day", "20")
    assert home.done("people", "limits", "--team", "Red", "--as-usual").startswith("Red: 9 uploads")
    assert home.done("people", "limits", "--as-usual") == usual
    assert "from 1 to 10000" in home.refused("people", "limits", "--a-day", "0")
    assert "must be a time such as" in home.refused("people", "limits", "--deadline", "soon")
    assert "no team is called" in home.refused(
        "people", "limits", "--team", "Nobodies", "--a-day", "5"
    )


def test_a_message_is_shown_and_taken_back(home: Home) -> None:
    assert home.done("people", "message", "Welcome") == "message 1 is shown to everybody\n"
    assert home.done("people", "message", "Hello", "--team", "Red") == "message 2 is shown to Red\n"
    home.done("people", "message", "--end", "1")
    assert re.findall("to (\\S+)(, ended)?: (.*)", home.done("people", "message")) == [
        ("Red", "", "Hello"),
        ("everybody", ", ended", "Welcome"),
    ]
    assert "no message 9" in home.refused("people", "message", "--end", "9")


def test_who_sees_results_is_decided_for_a_tournament_that_there_is(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    assert house.done("season", "visibility", "small") == "small: everybody sees all names\n"
    frozen = house.done("season", "visibility", "small", "--top", "2", "--freeze", "now")
    assert frozen.startswith("small: others see the names of the first 2; results are frozen from")
    assert house.done("season", "visibility", "small", "--open", "--names", "own") == (
        "small: each team sees its own names alone\n"
    )
    assert "no tournament is called" in house.refused("season", "visibility", "nowhere")
    assert "show results small" in house.done("show", "log")


def test_a_plan_says_what_is_then_played_and_changes_nothing(house: Home) -> None:
    house.tournament(QUICK)
    before = {line for line in house.done("show", "bots").splitlines() if line}
    plan = house.done("plan", "small", "--cores", "2")
    assert "small, season 1, blackjack: nothing is played or stored" in plan
    assert "unknown: no similar match has been played here yet" in plan
    assert {line for line in house.done("show", "bots").splitlines() if line} == before
    store = Store(f"sqlite:///{house.database}")
    assert store.seasons("small") == []
    house.done("run", "--once", "small")
    matches = len(store.results(store.seasons("small")[0].id))
    store.close()
    assert f"  matches  {matches}" in plan.splitlines()
    again = house.done("plan", "small", "--cores", "2")
    assert "season 2" in again
    assert f"on 2 cores, by {matches * 3} matches of small" in again


def test_a_plan_says_who_sits_out_and_why_nothing_can_begin(house: Home) -> None:
    house.tournament(QUICK + "entrants: {per_team: 1}\n")
    plan = house.done("plan", "small")
    assert plan.count("sits out") == 2
    assert "1 bot of a team can play" in plan
    house.tournament(QUICK + "entrants: {teams: [Green]}\n")
    plan = house.done("plan", "small")
    assert "can't begin: no bot is entered in small: no bot in the store plays" in plan
    assert "matches" not in plan
    assert "nowhere" in house.refused("plan", "nowhere")


def test_sheets_are_written_whole_to_files(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    said = house.done("show", "sheets", "small", "--as", "json", "--to", "out")
    names = ["small-0001-standings.json", "small-0001-matches.jsonl", "small-0001-decisions.jsonl"]
    assert said.splitlines() == [f"wrote out/{name}" for name in names]
    assert json.loads((house.folder / "out" / names[0]).read_text())
    assert house.done("show", "sheets", "--only", "versions") == "wrote versions.csv\n"
    assert "nothing is stored" in house.refused("show", "sheets", "nowhere")
    for words, why in (
        (("--only", "standings"), "--only standings needs a tournament"),
        (("small", "--only", "versions"), "the versions are for all tournaments"),
    ):
        code, output, errors = house.run("show", "sheets", *words)
        assert (code, output) == (2, "")
        assert why in errors
    assert "has no accounts" in house.refused("show", "sheets", "--only", "submissions")
    assert "can't be written" in house.refused("show", "sheets", "--to", "/dev/null/x")
    assert not AccountStore.is_there(f"sqlite:///{house.database}"), "no accounts is made for it"


def test_numbers_and_excuses_are_set_listed_and_are_in_the_files_of_people(
    home: Home,
) -> None:
    (home.folder / "arena.yaml").write_text("zone: Asia/Kathmandu\naccounts: {}\n")
    assert "has the student number 4711" in home.done("people", "number", "ann@example.org", "4711")
    assert "belongs to ann@example.org" in home.refused(
        "people", "number", "bob@example.org", "4711"
    )
    deadline = "Fri 1 Jan 2100, 20:00 Asia/Kathmandu (14:15 UTC)"
    assert (
        home.done(
            *("people", "excuse", "bob@example.org", "--reason", "ill"),
            *("--deadline", "2100-01-01T20:00"),
        )
        == f"bob@example.org is excused until {deadline}: ill\n"
    )
    assert home.done("people", "list").splitlines() == [
        "Ann <ann@example.org>: author, Red, number 4711",
        f"Bob <bob@example.org>: author, Blue, excused until {deadline}: ill",
    ]
    home.done("show", "sheets", "--only", "people", "--to", "out")
    text = (home.folder / "out" / "people.csv").read_text()
    assert "Ann,ann@example.org,4711,author,Red" in text
    assert "2100-01-01T14:15:00+00:00" in text
    assert "is not excused" in home.done("people", "excuse", "bob@example.org", "--as-usual")
    assert "give a --reason" in home.refused("people", "excuse", "bob@example.org")
    home.done("people", "number", "ann@example.org")
    log = home.done("show", "log", "--find", "excuse")
    assert f"excuse bob@example.org (reason: ill; deadline: {deadline})" in log
    assert "take an excuse back bob@example.org" in log


def test_a_list_of_invitations_brings_numbers_and_nobody_is_invited_if_two_share_one(
    home: Home,
) -> None:
    people = home.folder / "people.csv"
    people.write_text(
        "name,email,team,number\nCid,cid@example.org,Red,1\nDan,dan@example.org,Red,1\n"
    )
    assert "people.csv:3: '1' is in line 2 already" in home.refused("people", "invite", people)
    assert "Cid" not in home.done("people", "list")
    people.write_text("name,email,number\nCid,cid@example.org,1\n")
    home.done("people", "invite", people)
    assert "Cid <cid@example.org>: author, Cid, number 1" in home.done("people", "list")


def test_the_archive_of_a_course_is_one_zip_that_only_its_owner_reads(home: Home) -> None:
    home.tournament(QUICK)
    for name, limit in (("good", 17), ("bold", 19)):
        home.done("submit", home.bot(stage.shell(name, limit)), "--author", "Red")
    home.done("run", "--once", "small")
    said = home.done("show", "coursework", "autumn.zip", "small")
    assert said == "wrote autumn.zip: README.txt in it describes the files\n"
    file = home.folder / "autumn.zip"
    assert file.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(file) as archive:
        marks = archive.read("small/1/marks-best.csv").decode()
        assert "small/1/small-0001.zip" in archive.namelist()
        assert "bots/good/1.tar.gz" in archive.namelist()
    assert "ann@example.org" in marks
    assert "nothing is stored of" in home.refused("show", "coursework", "x.zip", "nothing")
    assert not (home.folder / "x.zip").exists()
    home.done("show", "sheets", "small", "--only", "marks", "--only", "moodle", "--counts", "best")
    assert (home.folder / "small-0001-marks-best.csv").read_bytes().decode() == marks


def test_an_archive_shows_what_visitors_see_and_changes_no_database(home: Home) -> None:
    home.tournament(QUICK)
    for name, limit in (("good", 17), ("bold", 19)):
        home.done("submit", home.bot(stage.shell(name, limit)), "--author", "Red")
    home.done("run", "--once", "small")
    home.done("season", "visibility", "small", "--names", "own")
    (home.folder / "papers").mkdir()
    (home.folder / "papers" / "thesis.txt").touch()
    assert "is not an archive" in home.refused("show", "archive", "papers")
    databases = {path: path.read_bytes() for path in home.folder.rglob("*.db")}
    assert home.done("show", "archive", "site").startswith("wrote site: ")
    assert {path: path.read_bytes() for path in home.folder.rglob("*.db")} == databases
    standings = (home.folder / "site" / "t" / "small" / "1.html").read_text()
    assert re.search("<span>bot \\d+</span>", standings)
    assert "good" not in standings
