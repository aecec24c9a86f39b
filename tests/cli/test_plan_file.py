"""`arena plan FILE`: a tournament's file is checked and explained where there is nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from card_arena.tests.cli.home import ROOT, Home

MANY = """\
nam: friday
game: spade
formt: league
clock: {question: fast, strat: 5s}
limits: {memory: 3}
strikes: {limit: 0, forgiven: [ilegal]}
schedule: {cron: "0 25 * * FRI", zone: Asia/Yeravan}
share: 500
workers: 0
rank_by: luck
rank_by: points
sandbox: dockr
wheels: [x]
"""
FOUND = """\
1:1: 'name' is missing
1:1: unknown key 'nam'; did you mean 'name'?
2:7: game 'spade' must be the name of a game: did you mean spades?
3:1: unknown key 'formt'; did you mean 'format'?
4:19: clock.question must be a duration from 1ms to 24h, such as 500ms, 1s or 2m; got 'fast'
4:25: unknown key 'strat'; did you mean 'start'?
5:18: limits.memory must be a size from 1B to 1024GiB, such as 64KiB, 256MiB or 1GiB; got 3
6:18: strikes.limit must be at least 1; got 0
6:32: strikes.forgiven.0 'ilegal' must be one of timeout, crash, malformed, illegal, flood, memory;\
 did you mean illegal?
7:18: schedule.cron must be a cron expression; its hour is wrong; got '0 25 * * FRI'
7:40: schedule.zone 'Asia/Yeravan' must be the name of a time zone; did you mean Asia/Yerevan?
8:8: share must be at most 100; got 500
9:10: workers must be at least 1; got 0
10:10: rank_by must be one of points, rating; got 'luck'
11:1: 'rank_by' occurs twice; the first is in line 10
12:10: sandbox 'dockr' must be one of bubblewrap, docker, bare; did you mean docker?
"""


@pytest.fixture
def empty(tmp_path: Path) -> Home:
    """A folder with nothing in it."""
    home = Home(tmp_path)
    home.tournaments.rmdir()
    return home


def plan(home: Home, text: str, *options: object) -> tuple[int, str, str]:
    (home.folder / "x.yaml").write_text(text)
    return home.run("plan", "x.yaml", *options)


def test_every_mistake_in_a_file_is_told_at_once(empty: Home):
    code, out, err = plan(empty, MANY)
    assert (code, out) == (2, "")
    told = [line.removeprefix("x.yaml:") for line in err.splitlines()]
    assert told[: len(FOUND.splitlines())] == FOUND.splitlines()
    assert told[-1].startswith("13:9: wheels ")
    assert [path.name for path in empty.folder.iterdir()] == ["x.yaml"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("options: {goel: 5}", "3:11: unknown key 'goel'; did you mean 'goal'?"),
        ("options: {goal: many}", "3:17: options.goal must be .*; got 'many'"),
        ("seats: 3", "3:8: seats must be 4, as many as spades seats; got 3"),
        ("format: leage", "3:9: format 'leage' must be one of .*; did you mean league?"),
        ("format: {league: {meeting: 3}}", "3:19: unknown key 'meeting'; did you mean 'meetings'?"),
        ("format: gauntlet", "3:9: 'against' is missing"),
        ("clock:\n\tquestion: 1s", "4:1: not YAML: a tab, where only spaces are allowed"),
        ("runtime: runsc", "3:10: runtime must go with sandbox: docker, .*; got 'runsc'"),
        ("public_value: {nonces: soon}", "3:24: public_value.nonces must be a duration from .*"),
        ("schedule: daily", "3:11: schedule must be always or new bots, or .*; got 'daily'"),
        ("entrants: [ada, ada]", "3:11: entrants must name each bot once; ada appears twice.*"),
        ("wheels: nowhere", "3:9: wheels must be a folder beside the file; there is no folder .*"),
        ("partners: differnt", "3:11: partners 'differnt' must be one of .* mean different?"),
        (
            "format: {gauntlet: {against: [a, b, c]}}\nrank_by: rating",
            "4:10: rank_by must be points in this format: .*; got 'rating'",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(empty: Home, more: str, told: str):
    code, out, err = plan(empty, f"name: x\ngame: spades\n{more}\n")
    assert (code, out) == (2, "")
    assert re.fullmatch(f"x.yaml:{told}".replace("?", r"\?"), err.strip()), err


def test_a_file_that_is_right_is_explained(empty: Home):
    text = (
        "name: friday\ngame: blackjack\noptions: {dealer_stands_at: 18}\n"
        "schedule: {cron: '0 20 * * FRI', zone: Asia/Yerevan}\nstrikes: {forgiven: [illegal]}\n"
    )
    code, out, err = plan(empty, text, "--bots", 12)
    assert (code, err) == (0, "")
    for line in ("  game     blackjack", "  options  dealer_stands_at: 18", "  matches  375"):
        assert line in out.splitlines()
    assert re.search(r"  due      Fri \d+ \w+ \d{4}, 20:00 Asia/Yerevan", out)
    assert "  faults   out after 3 in a game; forgiven: illegal" in out
    assert "  plays    12: bot-1 v1, " in out
    code, out, _ = plan(empty, text, "--bots", 3, "--json")
    assert (code, len(json.loads(out)["playing"])) == (0, 3)


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "tournaments").glob("*.yaml")))
def test_the_examples_have_no_mistakes(empty: Home, path: Path):
    code, out, _ = empty.run("plan", path, "--bots", 9)
    assert code == 0
    assert "the file has no mistakes" in out
    assert "  matches  " in out


@pytest.mark.parametrize("word", ["always", "new bots"])
def test_a_tournament_without_a_calendar_begins_when_there_are_bots(empty: Home, word: str):
    _, out, _ = plan(empty, f"name: x\ngame: durak\nschedule: {word}\n")
    assert "  due      as soon as enough bots are entered" in out.splitlines()


def test_bots_that_are_named_must_be_in_the_folder_of_bots(empty: Home):
    bots = ROOT / "bots" / "durak"
    text = "name: x\ngame: durak\nentrants: [durak-valu, durak-random, durak-nobody]\n"
    code, out, _ = plan(empty, text, "--bots", bots)
    assert code == 2
    assert "x.yaml:3:12: no bot is called 'durak-valu'; did you mean durak-value" in out
    assert "x.yaml:3:38: no bot is called 'durak-nobody'; did you mean " in out
    assert "no mistakes" not in out
    code, out, _ = plan(empty, "name: x\ngame: durak\n", "--bots", bots)
    assert code == 0
    assert "durak-value v1" in out


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ("0", "--bots 0: expected a number from 1 to "),
        ("nowhere", "nowhere: there is no bot in it. Expected folders with a bot.yaml."),
    ],
)
def test_bots_that_are_no_number_and_no_folder_are_refused(empty: Home, bots: str, told: str):
    code, _, err = plan(empty, "name: x\ngame: durak\n", "--bots", bots)
    assert code == 2
    assert told in err


def test_too_few_bots_are_told(empty: Home):
    code, out, _ = plan(empty, "name: x\ngame: spades\n", "--bots", 1)
    assert code == 2
    assert "can't begin: a table of x needs 2 bots" in out


@pytest.mark.parametrize(
    "entrants", ["{tags: [student]}", "{teams: [Red, Blue, Green, Grey]}", "{per_team: 1}"]
)
def test_imagined_bots_are_such_as_the_file_asks_for(empty: Home, entrants: str):
    code, out, _ = plan(empty, f"name: x\ngame: durak\nentrants: {entrants}\n", "--bots", 6)
    assert code == 0
    assert "  plays    6: " in out
