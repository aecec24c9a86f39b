"""`arena experiment` as somebody types it: played in real boxes, killed, resumed, reported."""

from __future__ import annotations

import csv
import json
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from card_arena.tests.cli.home import PATIENCE, Home, wait_for
from card_arena.tests.killed.harness import attempts
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage

SEED = "ab" * 32

BOTS = """\
bots:
  early: bots/sh12
  late: bots/sh20
  late-too: bots/sh20
"""

DESCRIPTION = f"""\
about: Who stands early has more chips left.
source: a paper of our own
duration: 80m
seed: "{SEED}"
{BOTS}quick: {{format: {{contest: {{legs: 1, rounds: 1}}}}}}
published:
  chips of early: {{value: 100, within: 1000}}
  chips of late: {{value: -5, between: [-6, -4]}}
"""

TOURNAMENT = """\
name: tiny
game: blackjack
format: {contest: {legs: 5, rounds: 3}}
clock: {question: 20s, start: 60s}
limits: {cpu: 20s}
"""

MEASURE = """\
from collections import defaultdict
from card_arena.ratings.intervals import mean
from card_arena.experiments.measures import Bars, Boxes, Measures

def measure(stages):
    held = defaultdict(list)
    for match in stages["tiny"].matches():
        assert len(match.games) == 1
        for bot, purse in zip(match.bots, match.result.purses):
            held[bot.removesuffix("-too")].append(purse)
    rows = {f"chips of {bot}": mean((p, 1) for p in held[bot]) for bot in sorted(held)}
    return Measures(rows, {
        "boxes": Boxes("Chips", "chips", {bot: held[bot] for bot in sorted(held)}, log=True),
        "bars": Bars("Means", "chips", {"ours": rows}),
    })
"""


@pytest.fixture
def lab(tmp_path: Path) -> Home:
    """A home with one small experiment."""
    home = Home(tmp_path)
    folder = tmp_path / "experiments" / "tiny-one"
    (folder / "tournaments").mkdir(parents=True)
    for limit in (12, 20):
        stage.shell(f"sh{limit}", limit).write(folder / "bots")
    (folder / "experiment.yaml").write_text(DESCRIPTION)
    (folder / "tournaments" / "tiny.yaml").write_text(TOURNAMENT)
    (folder / "tiny_one.py").write_text(MEASURE)
    return home


def folder_of(home: Home) -> Path:
    return home.folder / "experiments" / "tiny-one"


def report(home: Home, place: str = "var/experiments/tiny-one") -> dict[str, bytes]:
    """Every file of a report, but for the section that says when and by what it was played."""
    folder = home.folder / place / "report"
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    files["report.md"] = files["report.md"].split(b"## Played")[0]
    return files


def refused(home: Home, *arguments: object) -> str:
    """Give a command that is the user's mistake, and what it says of that."""
    code, _, errors = home.run(*arguments)
    assert code == 2
    return errors.removesuffix("\n")


def stored(database: Path) -> int:
    """Count the matches, none where there is no table of them yet."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def kill_at(condition: Callable[[], bool], running: subprocess.Popen[str]) -> None:
    """Kill a command as soon as something is so, unless it ends before that."""
    wait_for(lambda: condition() or running.poll() is not None)
    family = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(running.pid).children(recursive=True)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    psutil.wait_procs(family, timeout=PATIENCE)


def test_a_killed_run_goes_on_and_ends_in_the_report_of_one_that_was_let_alone(lab: Home) -> None:
    need("bwrap")
    said = lab.done("experiment", "tiny-one", "--into", "calm")
    assert said.startswith("a full run takes about 80 min on 2 cores\n")
    assert "chips of early" in said
    assert "the report: calm/tiny-one/report/report.md" in said
    calm = report(lab, "calm/tiny-one")

    database = lab.folder / "var/experiments/tiny-one/arena.db"
    for _ in attempts():
        shutil.rmtree(database.parent, ignore_errors=True)
        running = lab.start("experiment", "tiny-one")
        kill_at(lambda: stored(database) >= 2, running)
        kept = stored(database)
        assert kept >= 2
        if kept < 15:
            break

    lab.done("experiment", "tiny-one")
    assert stored(database) == 15
    assert {"bars.svg", "bars.png", "boxes.svg", "boxes.png", "rows.csv"} < {*calm}
    assert calm["tournaments/tiny.yaml"].decode() == TOURNAMENT
    again = report(lab)
    again["report.md"] = again["report.md"].replace(b"var/experiments", b"calm")
    assert again == calm

    rows = list(csv.reader(calm["rows.csv"].decode().splitlines()))
    early, late = rows[1:]
    assert (early[4], early[6]) == ("100", "yes (-900 to 1100)")
    assert (late[4], late[6]) == ("-5", "no (-6 to -4)")
    low, high = map(float, early[2].split(" to "))
    assert low < float(early[1]) < high
    assert float(early[5]) == pytest.approx(float(early[1]) - 100, abs=0.006)
    lab.done("verify", "--database", f"sqlite:///{database}")

    # settings that were written before an option was made say what its default says
    with closing(sqlite3.connect(database)) as connection:
        (settings,) = connection.execute("SELECT settings FROM seasons").fetchone()
        older = json.loads(settings)
        del older["options"]["push"]
        connection.execute("UPDATE seasons SET settings = ?", [json.dumps(older)])
        connection.commit()
    lab.done("experiment", "tiny-one")

    # what was played stays what it was, whatever becomes of the files
    (folder_of(lab) / "bots/sh20/bot.sh").write_text("echo S\n")
    where = "var/experiments/tiny-one/arena.db"
    assert refused(lab, "experiment", "tiny-one") == (
        f"tiny-one was started before the bot late changed: delete {where} to play it again"
    )


def test_without_a_name_it_lists_what_there_is_and_how_long_it_takes(lab: Home) -> None:
    said = lab.done("experiment")
    assert "tiny-one" in said
    assert "80 min" in said
    assert "Who stands early has more chips left." in said


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return change


YAML = "experiments/tiny-one/experiment.yaml"


@pytest.mark.parametrize(
    ("change", "words", "sentence"),
    [
        (
            None,
            ("tiny-on",),
            "no experiment in experiments is called 'tiny-on': did you mean tiny-one?",
        ),
        (
            None,
            ("zebra",),
            "no experiment in experiments is called 'zebra': there are tiny-one",
        ),
        (
            None,
            ("--folder", "nowhere"),
            "there is no folder nowhere to look for experiments in",
        ),
        (None, ("--folder", "bots"), "there is no folder bots to look for experiments in"),
        (
            None,
            ("--folder", "tournaments"),
            "there is no experiment (*/experiment.yaml) in tournaments",
        ),
        (
            edit("experiment.yaml", SEED, "ab"),
            ("tiny-one",),
            f"{YAML}:4:7: seed must be 64 hexadecimal digits, in quotes; got 'ab'",
        ),
        (
            edit("experiment.yaml", "about:", "abuot:"),
            ("tiny-one",),
            f"{YAML}:1:1: 'about' is missing\n"
            f"{YAML}:1:1: unknown key 'abuot'; did you mean 'about'?",
        ),
        (
            edit("experiment.yaml", "{legs: 1", "{legs: none"),
            ("tiny-one",),
            f"{YAML}:9:34: quick.format.contest.legs must be a whole number; got 'none'",
        ),
        (
            edit("experiment.yaml", "rounds: 1}}}", "rounds: 1}}, only: [huge]}"),
            ("tiny-one", "--quick"),
            f"{YAML}:9:57: quick.only 'huge' is not a tournament here: there are tiny",
        ),
        (
            edit("experiment.yaml", "rounds: 1}}}", "rounds: 1}}, options: {hands: none}}"),
            ("tiny-one", "--quick"),
            f"{YAML}:9:67: quick.options.hands must be a whole number; got 'none'",
        ),
        (
            edit("experiment.yaml", "{legs: 1", "{lags: 1"),
            ("tiny-one",),
            f"{YAML}:9:28: unknown key 'lags'; did you mean 'legs'?",
        ),
        (
            edit("tournaments/tiny.yaml", "blackjack", "chess"),
            ("tiny-one",),
            "experiments/tiny-one/tournaments/tiny.yaml:2:7: game must be the name of a game:"
            " there are blackjack, spades, blot, tarot, durak; got 'chess'",
        ),
        (
            edit("experiment.yaml", "bots/sh12", "bots/sh13"),
            ("tiny-one",),
            "experiments/tiny-one/bots/sh13: experiments/tiny-one/bots/sh13 does not exist.",
        ),
        (
            edit("tiny_one.py", "def measure", "def weigh"),
            ("tiny-one",),
            "experiments/tiny-one/tiny_one.py has no function `measure`",
        ),
        (
            edit("tiny_one.py", "import mean", "import meen"),
            ("tiny-one",),
            "experiments/tiny-one/tiny_one.py can't be loaded: ImportError: cannot import name"
            " 'meen' from 'card_arena.ratings.intervals'",
        ),
        (
            lambda folder: shutil.move(folder / "tiny_one.py", folder / "other.py"),
            ("tiny-one",),
            "there is no experiments/tiny-one/tiny_one.py, which measures tiny-one",
        ),
        (
            edit("experiment.yaml", f'seed: "{SEED}"\n', ""),
            ("tiny-one",),
            f"{YAML}:5:3: bots must come with `seed`; got a mapping",
        ),
        (
            edit("experiment.yaml", "quick: {format: {contest: {legs: 1, rounds: 1}}}\n", ""),
            ("tiny-one",),
            f"{YAML}:6:3: bots must come with `quick`; got a mapping",
        ),
        (
            edit("experiment.yaml", BOTS, ""),
            ("tiny-one",),
            f"{YAML} names no bots for the tournaments of tiny-one",
        ),
        (
            edit("experiment.yaml", "quick:", "include: [bots/lib]\nquick:"),
            ("tiny-one",),
            f"{YAML}: include names bots/lib, which is not a folder",
        ),
        (
            lambda folder: shutil.rmtree(folder / "tournaments"),
            ("tiny-one",),
            "there is no folder experiments/tiny-one/tournaments to look for tournament files in",
        ),
        (
            edit("tournaments/tiny.yaml", "rounds: 3}}", "rounds: 3}}\nentrants: [early, lat]"),
            ("tiny-one",),
            "experiments/tiny-one/tournaments/tiny.yaml:4:19: no bot is called 'lat';"
            " did you mean late?",
        ),
    ],
)
def test_mistakes_are_one_clear_sentence_each(
    lab: Home,
    change: Callable[[Path], None] | None,
    words: tuple[str, ...],
    sentence: str,
) -> None:
    if change is not None:
        change(folder_of(lab))
    words = words if "--folder" not in words else (*words, "--all")
    assert refused(lab, "experiment", *words).startswith(sentence)


def test_a_published_figure_must_be_that_of_a_row(lab: Home) -> None:
    need("bwrap")
    edit("experiment.yaml", "chips of late", "chips of latte")(folder_of(lab))
    said = refused(lab, "experiment", "tiny-one", "--quick")
    assert said == (
        f"{YAML}: published.chips of latte is not a row of tiny-one, whose rows are chips of early,"
        " chips of late"
    )
    edit("experiment.yaml", "chips of latte", "chips of late")(folder_of(lab))
    lab.done("experiment", "--all", "--quick")  # nothing has to be played again for that
    text = (lab.folder / "var/experiments/tiny-one/quick/report/report.md").read_text()
    assert text.startswith("# tiny-one (quick: too small to say anything)\n")

    # a trial begins anew where a bot has changed
    (folder_of(lab) / "bots/sh20/bot.sh").write_text("echo S\n")
    assert "chips of late" in lab.done("experiment", "tiny-one", "--quick")


def compute(home: Home, name: str, chance: float) -> None:
    """An experiment that plays nothing; its figure is that of a library of its own."""
    folder = home.folder / "experiments" / name
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "chances.py").write_text(f"CHANCE = {chance}\n")
    (folder / "experiment.yaml").write_text(
        "about: A chance.\nsource: a paper\nduration: 1s\ninclude: [lib]\n"
        "published: {chance: {value: .489, within: .0031}}\n"
    )
    (folder / f"{name}.py").write_text(
        "from card_arena.ratings.intervals import exact\n"
        "from lib.chances import CHANCE\n"
        "from card_arena.experiments.measures import Measures\n"
        "def measure(stages):\n"
        "    assert not stages\n"
        "    return Measures({'chance': exact(CHANCE)}, {})\n"
    )


def test_an_experiment_without_bots_computes_its_rows_and_needs_no_database(tmp_path: Path) -> None:
    home = Home(tmp_path)
    compute(home, "sum", 0.4947)
    said = home.done("experiment", "sum")
    assert "a full run takes about 1 s on 2 cores" in said
    place = tmp_path / "var/experiments/sum"
    assert {path.name for path in place.rglob("*")} == {
        *("report", "report.md", "rows.csv", "experiment.yaml")
    }
    _, row = csv.reader((place / "report/rows.csv").read_text().splitlines())
    assert row == ["chance", "0.4947", "-", "-", "0.489", "+0.0057", "no (0.4859 to 0.4921)"]
    text = (place / "report/report.md").read_text()
    assert "`arena experiment sum` computes it. Nothing is played." in text


def test_every_experiment_has_the_library_that_it_includes_and_nothing_to_cut(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    chances = {"one": 0.25, "two": 0.75}
    for name, chance in chances.items():
        compute(home, name, chance)
    home.done("experiment", "--all", "--quick")
    for name, chance in chances.items():
        text = (tmp_path / f"var/experiments/{name}/quick/report/report.md").read_text()
        assert text.startswith(f"# {name}\n")
        assert f"| chance | {chance:.4f} |" in text


def test_a_name_and_all_are_not_said_together(lab: Home) -> None:
    code, _, errors = lab.run("experiment", "tiny-one", "--all")
    assert code == 2
    assert "give NAME or --all, not both" in errors


def test_quick_and_full_are_not_said_together(lab: Home) -> None:
    code, _, errors = lab.run("experiment", "tiny-one", "--quick", "--full")
    assert code == 2
    assert "give --quick or --full, not both" in errors
