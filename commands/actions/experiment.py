"""`arena experiment`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.box import SIMPLE

from commands.console import Printer, Rows
from commands.printer import say
from commands.progress import Screen
from leaderboard.storage.lock import alone
from leaderboard.storage.store import Store
from tournament.experiments.description import Experiment, experiments
from tournament.experiments.description import experiment as experiment_of
from tournament.experiments.measures import Drawn, Measures
from tournament.experiments.report import HEADINGS, compared, spoken, write_report
from tournament.experiments.run import BegunOtherwise, load_measure, measured
from tournament.experiments.run import play as play_experiment
from tournament.experiments.simulation import drawn
from tournament.play.worker_pool import WorkerPool
from tournament.version import __version__


def experiment(
    name: str | None, every: bool, quick: bool, full: bool, folder: Path, into: Path
) -> None:
    """List the experiments, or play and report the chosen ones."""
    console = Printer()
    if quick and full:
        raise click.UsageError("give --quick or --full, not both")
    if every and name is not None:
        raise click.UsageError("give NAME or --all, not both")
    if not every and name is None:
        console.print(experiments_table(experiments(folder)))
        return
    chosen = (
        experiments(folder, quick=quick, full=full)
        if every
        else (experiment_of(folder, name or "", quick=quick, full=full),)
    )
    if not quick:
        what = "it" if any(one.smaller for one in chosen) else "a full run"
        say(f"{what} takes about {spoken(sum(one.duration for one in chosen))} on 2 cores")
    with WorkerPool() as pool:
        for one in chosen:
            _experiment(one, into / one.name / ("quick" if quick else ""), console, pool)


def _experiment(wanted: Experiment, place: Path, console: Printer, pool: WorkerPool) -> None:
    """Play the missing matches of an experiment and report it."""
    load_measure(wanted)  # a mistake in it should show before hours of play, not after
    if wanted.description.simulates:
        _report(wanted, place, console, drawn=drawn(wanted, place, say))
        return
    if not wanted.tournaments:
        _report(wanted, place, console)
        return
    try:
        _played(wanted, place, console, pool)
    except BegunOtherwise:
        if not wanted.quick:
            raise
        # a quick run takes seconds, and is repeated while its bots are being worked on
        for path in place.glob("arena.db*"):
            path.unlink()
        _played(wanted, place, console, pool)


def _played(wanted: Experiment, place: Path, console: Printer, pool: WorkerPool) -> None:
    with (
        closing(Store(f"sqlite:///{place / 'arena.db'}")) as store,
        alone(store.database),
        Screen(store, console) as screen,
    ):
        play_experiment(store, wanted, place, screen, pool)
        _report(wanted, place, console, store)


def _report(
    wanted: Experiment,
    place: Path,
    console: Printer,
    store: Store | None = None,
    drawn: Drawn | None = None,
) -> None:
    """Measure an experiment, print the table, and write the report."""
    measures = measured(wanted, store, drawn)
    console.print(measures_table(wanted, measures))
    say(write_report(wanted, measures, place / "report", __version__, store))


def experiments_table(found: Sequence[Experiment]) -> Rows:
    """Draw the table of experiments, with how long each takes on two cores."""
    shown = Rows(box=SIMPLE)
    for heading in ("experiment", "on 2 cores", "about"):
        shown.add_column(heading)
    for one in found:
        shown.add_row(one.name, spoken(one.description.duration), one.description.about)
    return shown


def measures_table(wanted: Experiment, measures: Measures) -> Rows:
    """Draw our figures beside the published ones."""
    shown = Rows(box=SIMPLE, title=wanted.name)
    for heading in HEADINGS:
        shown.add_column(heading)
    for row in compared(measures.rows, wanted.description.published):
        shown.add_row(*row)
    return shown
