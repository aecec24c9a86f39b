"""Simulations: drawn on several cores, kept, resumed, and the same whenever they are drawn."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from card_arena.experiments.description import BadExperiment, Experiment, read_experiment
from card_arena.experiments.run import load, measured
from card_arena.experiments.simulation import drawn

TOP = Path(__file__).parents[2]

DICE = """\
import random

from card_arena.ratings.intervals import mean
from card_arena.experiments.measures import Measures


def cells(size):
    return {"one": {"quick": 2, "usual": 6, "full": 12}[size], "two": 3}


def draw(cell, number):
    return {"eyes": random.Random(f"{cell} {number}").randint(1, 6)}


def measure(drawn):
    return Measures({c: mean([(run["eyes"], 1) for run in runs]) for c, runs in drawn.items()}, {})
"""


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    folder = tmp_path / "dice"
    folder.mkdir()
    (folder / "dice.py").write_text(DICE)
    (folder / "experiment.yaml").write_text(
        "about: Dice.\nduration: 1s\nfull: 1h\nsimulates: true\n"
    )
    return folder


def lines(place: Path) -> list[str]:
    (file,) = place.glob("runs-*.jsonl")
    return file.read_text().splitlines()


def all_of(wanted: Experiment, place: Path) -> dict[str, list[dict[str, float]]]:
    return {cell: list(runs) for cell, runs in drawn(wanted, place, lambda _: None).items()}


def test_a_run_is_drawn_once_and_a_larger_size_draws_what_is_missing(dice: Path, tmp_path: Path):
    first = all_of(read_experiment(dice), tmp_path)
    assert {cell: len(runs) for cell, runs in first.items()} == {"one": 6, "two": 3}
    before = lines(tmp_path)
    assert all_of(read_experiment(dice), tmp_path) == first
    assert lines(tmp_path) == before
    more = all_of(read_experiment(dice, full=True), tmp_path)
    assert lines(tmp_path)[:9] == before
    assert len(lines(tmp_path)) == 15
    assert more["one"][:6] == first["one"]


def test_a_killed_simulation_goes_on_and_comes_to_the_same(dice: Path, tmp_path: Path):
    whole = all_of(read_experiment(dice), tmp_path)
    (file,) = tmp_path.glob("runs-*.jsonl")
    kept = lines(tmp_path)
    file.write_text("\n".join(kept[:4]) + "\n" + kept[4][:7])
    assert all_of(read_experiment(dice), tmp_path) == whole
    assert sorted(lines(tmp_path)) == sorted(kept)
    assert all(json.loads(line) for line in lines(tmp_path))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_who_stops_it_leaves_no_process_that_draws(dice: Path, tmp_path: Path, end: signal.Signals):
    slow = DICE.replace('    return {"eyes"', '    time.sleep(0.05)\n    return {"eyes"')
    (dice / "dice.py").write_text("import time\n" + slow.replace('"usual": 6', '"usual": 9999'))
    with subprocess.Popen(
        [
            *(
                sys.executable,
                "-c",
                "from card_arena.arena import main; main()",
                "experiment",
                "dice",
            ),
            *("--folder", str(tmp_path), "--into", str(tmp_path / "into")),
        ],
        cwd=TOP,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as arena:
        place = tmp_path / "into/dice"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not ([*place.glob("runs-*")] and lines(place)):
            time.sleep(0.1)
        drawing = psutil.Process(arena.pid).children(recursive=True)
        try:
            arena.send_signal(end)
            arena.wait(timeout=60)
        finally:
            arena.kill()
    assert drawing
    assert not psutil.wait_procs(drawing, timeout=20)[1]
    assert 0 < len(lines(place)) < 9999


def test_runs_of_other_code_are_never_mixed_in(dice: Path, tmp_path: Path):
    first = all_of(read_experiment(dice), tmp_path)
    (dice / "dice.py").write_text(DICE.replace("randint(1, 6)", "randint(11, 16)"))
    second = all_of(read_experiment(dice), tmp_path)
    assert min(run["eyes"] for run in second["one"]) > 10
    assert len([*tmp_path.glob("runs-*.jsonl")]) == 2
    (dice / "dice.py").write_text(DICE)
    assert all_of(read_experiment(dice), tmp_path) == first


def test_what_was_drawn_is_measured(dice: Path, tmp_path: Path):
    wanted = read_experiment(dice, quick=True)
    found = drawn(wanted, tmp_path, lambda _: None)
    rows = measured(wanted, drawn=found).rows
    assert rows["one"].trials == 2
    assert rows["two"].value == sum(run["eyes"] for run in found["two"]) / 3


def test_a_simulation_lacks_no_function_and_enters_no_bots(dice: Path):
    (dice / "dice.py").write_text(DICE.replace("def draw(", "def drew("))
    with pytest.raises(BadExperiment, match="has no function `draw`"):
        load(read_experiment(dice))
    said = (dice / "experiment.yaml").read_text()
    seed = f'seed: "{"0" * 64}"\nquick: {{}}\nbots: {{a: bots/a}}\n'
    (dice / "experiment.yaml").write_text(said + seed)
    with pytest.raises(BadExperiment, match="names bots, so it can't simulate"):
        read_experiment(dice)
