"""Every experiment there is, in its quick size: a few matches in real boxes, and a whole report."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from card_arena.experiments.description import experiments
from card_arena.tests.experiments.folders import FOLDER, ROOT
from card_arena.tests.needs import need
from card_arena.tests.tournament.stage import cache_of_its_own

BOTS_NEED = ("bwrap", "gcc", "g++", "javac", "node")


@pytest.mark.timeout(1800)
def test_every_experiment_is_played_and_reported(tmp_path: Path) -> None:
    for tool in BOTS_NEED:
        need(tool)
    command = [sys.executable, "-c", "from card_arena.arena import main; main()", "experiment"]
    with cache_of_its_own():
        done = subprocess.run(
            [*command, "--all", "--quick", "--into", str(tmp_path)],
            cwd=ROOT,
            env={**os.environ},
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for one in experiments(FOLDER):
        report = tmp_path / one.name / "quick" / "report"
        heading, *rows = csv.reader((report / "rows.csv").read_text().splitlines())
        assert rows, one.name
        compared = {row[0] for row in rows if row[4] != "-"}
        assert bool(compared) == bool(one.description.published)
        assert all(len(row) == len(heading) for row in rows)
        text = (report / "report.md").read_text()
        plots = re.findall(r"\((\S+)\.svg\)", text)
        assert plots, one.name
        for name in plots:
            assert (report / f"{name}.svg").read_text().rstrip().endswith("</svg>")
            assert (report / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_no_two_experiments_have_one_seed() -> None:
    seeds = [one.description.seed for one in experiments(FOLDER) if one.tournaments]
    assert len({*seeds}) == len(seeds)


def test_every_published_figure_names_its_source() -> None:
    for one in experiments(FOLDER):
        assert bool(one.description.published) == bool(one.description.source), one.name


def test_results_are_told_of_experiments_that_there_are() -> None:
    text = (FOLDER / "RESULTS.md").read_text()
    told = {*re.findall(r"^## (\S+)", text, re.MULTILINE)}
    assert told <= {one.name for one in experiments(FOLDER)}


@pytest.mark.parametrize("one", experiments(FOLDER), ids=lambda one: one.name)
def test_bots_of_an_experiment_are_those_that_its_tournaments_enter(one) -> None:
    entered: set[str] = set()
    for path in (one.folder / "tournaments").glob("*"):
        named = yaml.safe_load(path.read_text()).get("entrants", "all")
        entered |= {*one.description.bots} if named == "all" else {*named}
    assert entered == {*one.description.bots}
