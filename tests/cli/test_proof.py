"""Exporting a season, its ledger, its public value, and verifying all that, as it is typed."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from pyarrow import parquet

from card_arena.commands.console import Printer
from card_arena.commands.progress import Checking
from card_arena.leaderboard.web.season_files import SeasonFiles
from card_arena.results.store import Store
from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.needs import need
from card_arena.verify.verify import Headway

DRAWN = QUICK + 'public_value: {drawn: "two dice, on film"}\n'


def test_a_season_waits_for_its_public_value_and_is_then_verified_from_its_file(
    house: Home,
) -> None:
    house.tournament(DRAWN)
    code, _, told = house.run("run", "--once", "small")
    assert code == 2
    waits = "season 1 of small waits for the value drawn in public: two dice, on film"
    assert waits in told
    assert "`arena ledger public small VALUE`" in told
    assert "began, manifest " in house.done("ledger", "show", "small")

    running = house.done("export", "small/1", "running.zip")
    assert "without the seed, which is secret until the season is finished" in running
    assert "public    not known yet" in house.done("verify", "running.zip")

    assert "has the public value 3 6" in house.done("ledger", "public", "small", "3 6")
    code, _, told = house.run("ledger", "public", "small", "1 1")
    assert (code, "it can't be changed" in told) == (2, True)
    house.done("run", "--once", "small")
    head = house.done("ledger", "head", "small").strip()

    assert "wrote small-0001.zip: check it with" in house.done("export", "small/1")
    with closing(Store(f"sqlite:///{house.database}")) as store:
        record = store.records("small/0001/t01/r1/a")[0]
    asked = next(number for number, turn in enumerate(record.turns) if turn.question)
    house.database.rename(house.folder / "gone.db")  # whoever checks a file has no database
    found = house.done("verify", "small-0001.zip", "--head", head)
    assert "small, season 1: " in found
    assert "points: no differences" in found
    assert "public    3 6: the value drawn in public: two dice, on film" in found
    assert "everything is as it was published" in found
    code, _, told = house.run("verify", "small-0001.zip", "--head", "0" * 64)
    assert (code, "none of its" in told) == (1, True)
    question = house.done("repro", "small-0001.zip", "small/0001/t01/r1/a", 1, asked, "--lines")
    assert question.splitlines()[-1][0].isdigit()


def test_a_waiting_arena_plays_as_soon_as_the_value_is_there(house: Home) -> None:
    waits = "waits for the value drawn in public"
    house.tournament(DRAWN)
    running = house.start("run")
    try:
        assert any(waits in line for line in running.stdout)
        house.done("ledger", "public", "small", "3 6")
        output, errors = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0, errors
    assert waits not in output  # it is said once
    assert "finished, 4 matches" in house.done("ledger", "show", "small")


def test_authors_hand_in_nonces_and_show_them_once_the_season_has_begun(house: Home) -> None:
    house.tournament(QUICK + "public_value: {nonces: 3d}\n")
    code, _, told = house.run("run", "--once", "small")
    assert (code, "no bot that plays has one" in told) == (2, True)
    bot, text = next((house.folder / "bots").iterdir()).name, "seven red herrings"
    handed_in = hashlib.sha256(text.encode()).hexdigest()
    told = house.done("submit", f"bots/{bot}", "--author", "ada", "--nonce", handed_in)
    assert f"have its nonce's hash {handed_in}" in told
    code, _, told = house.run("run", "--once", "small")
    assert (code, "show each with `arena ledger public small BOT NONCE`" in told) == (2, True)
    assert f"shown: none; not yet: {bot}" in house.done("ledger", "public", "small")
    code, _, told = house.run("ledger", "public", "small", bot, "eight red herrings")
    assert (code, f"that is not the nonce of {bot}" in told) == (2, True)
    assert "has the public value" in house.done("ledger", "public", "small", bot, text)
    house.done("run", "--once", "small")
    assert f"nonce of {bot} {text}" in house.done("ledger", "show", "small")
    house.done("export", "small/1")
    found = house.done("verify", "small-0001.zip")
    assert f"the nonces of {bot}, to be shown by" in found
    assert "everything is as it was published" in found


@pytest.fixture(scope="module")
def once(furnished: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("played")
    shutil.copytree(furnished.folder, folder, dirs_exist_ok=True)
    home = Home(folder)
    home.tournament(QUICK)
    home.done("run", "--once", "small")
    home.done("export", "small/1")
    return home


@pytest.fixture
def played_home(once: Home, tmp_path: Path) -> Home:
    """A home in which a season was played and exported."""
    shutil.copytree(once.folder, tmp_path, dirs_exist_ok=True)
    return Home(tmp_path)


def test_decisions_are_exported_for_programs_that_learn(played_home: Home):
    assert "wrote small-0001-decisions.jsonl" in played_home.done("export", "decisions", "small/1")
    text = (played_home.folder / "small-0001-decisions.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) > 20
    for line in lines:
        assert line["action"] in line["legal"].split(";") or line["action"].startswith("B ")
        assert isinstance(line["score"], int)
        assert isinstance(line["luck"], float)
    played_home.done("export", "decisions", "small/1", "decisions.parquet")
    table = parquet.read_table(played_home.folder / "decisions.parquet")
    assert (
        table.to_pylist()[0].items()
        >= {**lines[0], "luck": pytest.approx(lines[0]["luck"])}.items()
    )
    assert "must end in .jsonl or .parquet" in played_home.refused(
        "export", "decisions", "small/1", "decisions.csv"
    )
    assert "Invalid season 'decisions small'" in played_home.refused("export", "decisions", "small")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("export", "small"), "Invalid season 'small'. Expected NAME/N, such as friday/3"),
        (("export", "small/7"), "nothing is stored of season 7 of the tournament 'small'"),
        (("export", "small/1", "no/such/folder.zip"), "can't be written: No such file"),
        (("verify", "gone.zip"), "gone.zip can't be read: No such file or directory"),
        (("verify", "small", "--head", "7"), "Invalid --head '7'"),
        (("verify", "--head", "0" * 64), "--head is for one ledger"),
        (("ledger", "show", "large"), "nothing is stored of a tournament 'large'"),
        (("ledger", "sign", "small", "no-key"), "Key file no-key not found"),
        (("ledger", "public", "small", "7"), "no season of 'small' waits for a public value"),
        (
            ("repro", "small-0001.zip", "small/0001/t9/r1/a", "1", "3", "bots/sh12"),
            "small-0001.zip has no match 'small/0001/t9/r1/a'",
        ),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    played_home: Home, words: tuple[str, ...], sentence: str
) -> None:
    code, _, told = played_home.run(*words)
    assert code == 2
    assert sentence in told
    assert "Traceback" not in told


def test_a_bot_is_asked_everything_again_that_it_was_asked_in_a_season(played_home: Home) -> None:
    told = played_home.done("repro", "small-0001.zip", "bots/sh16")
    assert told.startswith("sh16 v1, the files that played: asked ")
    assert "questions of 4 games again; all answers are the same" in told
    program = played_home.folder / "bots" / "sh16" / "bot.sh"
    program.write_text(program.read_text().replace("-lt 16", "-lt 2"))
    told = played_home.done("repro", "small-0001.zip", "bots/sh16")
    assert told.startswith("sh16 v1, other files than those that played: asked ")
    first, *_ = told.splitlines()[1:]
    key, number, turn, *_ = first.split()
    assert first.endswith(('then "H", now "S"', "then H, now S"))
    again = played_home.done("repro", "small-0001.zip", key, number, turn.rstrip(":"), "bots/sh16")
    assert again.startswith("asked: ")
    (played_home.folder / "bots" / "sh16" / "bot.yaml").write_text(
        "name: nobody\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    )
    said = played_home.refused("repro", "small-0001.zip", "bots/sh16")
    assert said == "nobody did not play in season 1 of small: sh12, sh16, sh20 did"


def test_a_head_is_signed_and_anybody_can_check_it(played_home: Home, tmp_path: Path) -> None:
    need("ssh-keygen")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signature = tmp_path / "head.sig"
    signature.write_text(played_home.done("ledger", "sign", "small", key))
    allowed = tmp_path / "allowed"
    allowed.write_text(f"me@example.org {key.with_suffix('.pub').read_text()}")
    words = ["-Y", "verify", "-f", allowed, "-I", "me@example.org", "-n", "card-arena"]
    checked = subprocess.run(
        ["ssh-keygen", *words, "-s", signature],
        input=played_home.done("ledger", "head", "small"),
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr


def test_verify_goes_on_where_it_was_interrupted_and_says_what_it_takes_over(
    house: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.tournament(QUICK)
    house.done("run", "--until-idle")
    monkeypatch.setattr("card_arena.commands.actions.verify.FEW", 0)
    monkeypatch.setattr("card_arena.results.stored_match.CHUNK", 1)
    show = Checking.show

    def interrupting(checking: Checking, headway: Headway) -> None:
        show(checking, headway)
        if headway.matches == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Checking, "show", interrupting)
        code, output, errors = house.run("verify")
    assert (code, output) == (130, "")
    assert errors == "interrupted after 3 of 4 matches; the same command resumes it\n"
    resumed = house.done("verify")
    told = "  3 of these matches were replayed before this was interrupted, at "
    assert told in resumed
    assert "everything is as it was stored" in resumed
    assert told not in house.done("verify")  # nothing was left to go on with
    with monkeypatch.context() as patch:
        patch.setattr(Checking, "show", interrupting)
        house.run("verify")
    assert told not in house.done("verify", "--from-scratch")


@pytest.mark.parametrize(
    ("steps", "seconds", "told"),
    [
        ([(0, 0)], 9, "0 of 900 matches checked"),
        (
            [(0, 0), (640, 0)],
            10,
            "640 of 900 matches checked, 64 a second, less than a minute left",
        ),
        ([(500, 500), (600, 500)], 100, "600 of 900 matches checked, 1 a second, about 5 min left"),
    ],
)
def test_the_progress_of_a_verification_counts_only_what_this_sitting_checked_for_its_speed(
    steps: list[tuple[int, int]], seconds: float, told: str
) -> None:
    checking = Checking(Printer(), 900)
    for matches, earlier in steps:
        checking.show(Headway("small", 1, matches, earlier, 900))
    assert checking.text(seconds) == told


def test_the_file_that_the_site_made_of_a_season_is_copied(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    house.done("export", "small/1", "made.zip")
    with closing(Store(f"sqlite:///{house.database}")) as store:
        folder = store.database.place_beside("seasons")
        kept = SeasonFiles(store, folder).file("small", 1)
    assert kept.path.read_bytes() == (house.folder / "made.zip").read_bytes()
    kept.path.write_bytes(b"the site's file")
    said = house.done("export", "small/1", "copied.zip")
    assert (house.folder / "copied.zip").read_bytes() == b"the site's file"
    assert f"head      {house.done('ledger', 'head', 'small').strip()}" in said
