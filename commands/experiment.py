"""The command that repeats published results."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from commands.printer import Printer, say
from commands.progress import Screen
from leaderboard.storage.store import Store
from tournament.experiments.description import Experiment, experiments
from tournament.experiments.description import experiment as experiment_of
from tournament.experiments.report import experiments_table, measures_table, spoken, write_report
from tournament.experiments.run import BegunOtherwise, load_measure, measured
from tournament.experiments.run import play as play_experiment
from tournament.play.lock import alone
from tournament.play.worker_pool import WorkerPool
from tournament.version import __version__


@click.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="All experiments, one after the other.")
@click.option("--quick", is_flag=True, help="Only so much that everything is tried once.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default="experiments",
    show_default=True,
    help="Where the experiments are.",
)
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    default="var/experiments",
    show_default=True,
    help="Where each is played, in a database of its own, and reported.",
)
def experiment(name: str | None, every: bool, quick: bool, folder: Path, into: Path) -> None:
    """Repeat published results: play an experiment and report it beside the published figures.

    Without a name, list what there is. Stopped at any moment and started again, it plays only what
    is missing. Where nothing is to be played, it computes.
    """
    console = Printer()
    if every and name is not None:
        raise click.UsageError("say NAME or --all, not both")
    if not every and name is None:
        console.print(experiments_table(experiments(folder)))
        return
    chosen = (
        experiments(folder, quick=quick)
        if every
        else (experiment_of(folder, name or "", quick=quick),)
    )
    if not quick:
        seconds = sum(one.description.duration for one in chosen)
        say(f"a full run takes about {spoken(seconds)} on 2 cores")
    with WorkerPool() as pool:
        for one in chosen:
            _experiment(one, into / one.name / ("quick" if quick else ""), console, pool)


def _experiment(wanted: Experiment, place: Path, console: Printer, pool: WorkerPool) -> None:
    """Play what is missing of an experiment, report it, and show the table."""
    load_measure(wanted)  # whatever is wrong there is better known before hours of play
    if not wanted.tournaments:
        _report(wanted, place, console)
        return
    try:
        _played(wanted, place, console, pool)
    except BegunOtherwise:
        if not wanted.quick:
            raise
        # a trial takes seconds, and whoever works on a bot tries it again and again
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


def _report(wanted: Experiment, place: Path, console: Printer, store: Store | None = None) -> None:
    """Measure an experiment, show the table, and write the report."""
    measures = measured(wanted, store)
    console.print(measures_table(wanted, measures))
    say(write_report(wanted, measures, place / "report", __version__, store))
