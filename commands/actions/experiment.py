"""`arena experiment`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import click

from card_arena.commands.console import Printer, Rows
from card_arena.commands.printer import say, say_shape
from card_arena.commands.progress import Screen
from card_arena.experiments.description import Experiment, experiments
from card_arena.experiments.description import experiment as experiment_of
from card_arena.experiments.measures import Drawn, Measures
from card_arena.experiments.report import HEADINGS, compared, spoken, write_report
from card_arena.experiments.run import BegunOtherwise, load_measure, measured
from card_arena.experiments.run import play as play_experiment
from card_arena.experiments.simulation import drawn
from card_arena.leaderboard.models import Figure, Shape
from card_arena.results.lease import Lease
from card_arena.results.store import Store
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.version import __version__


class ExperimentShape(Shape):
    """An experiment."""

    name: str
    """Its name."""
    about: str
    """What it is about."""
    seconds: float
    """How long a full run takes on two cores."""


class ExperimentsShape(Shape):
    """The experiments that there are."""

    items: tuple[ExperimentShape, ...]
    """The experiments."""


class MeasureShape(Shape):
    """A figure of an experiment beside the published one."""

    what: str
    """What was measured."""
    ours: Figure
    """Our figure."""
    published: float | None
    """The published one; null if there is none, or no number."""
    says: str
    """What was published, in words; empty if nothing was."""


class MeasuresShape(Shape):
    """What an experiment has found."""

    name: str
    """Its name."""
    report: str
    """Where its report was written."""
    rows: tuple[MeasureShape, ...]
    """Its figures."""


class MeasuresOfAll(Shape):
    """What the chosen experiments have found."""

    items: tuple[MeasuresShape, ...]
    """The experiments."""


def experiment(
    name: str | None, every: bool, quick: bool, full: bool, folder: Path, into: Path, as_json: bool
) -> None:
    """List the experiments, or play and report the chosen ones."""
    console = Printer()
    console.quiet = as_json  # no progress
    if quick and full:
        raise click.UsageError("give --quick or --full, not both")
    if every and name is not None:
        raise click.UsageError("give NAME or --all, not both")
    if not every and name is None:
        listed = experiments(folder)
        if as_json:
            say_shape(_listed(listed))
        console.print(experiments_table(listed))
        return
    chosen = (
        experiments(folder, quick=quick, full=full)
        if every
        else (experiment_of(folder, name or "", quick=quick, full=full),)
    )
    if not quick and not as_json:
        what = "it" if any(one.smaller for one in chosen) else "a full run"
        say(f"{what} takes about {spoken(sum(one.duration for one in chosen))} on 2 cores")
    with WorkerPool() as pool:
        results = [
            _experiment(one, into / one.name / ("quick" if quick else ""), console, pool)
            for one in chosen
        ]
    if as_json:
        say_shape(MeasuresOfAll(items=tuple(results)))


def _listed(listed: Sequence[Experiment]) -> ExperimentsShape:
    return ExperimentsShape(
        items=tuple(
            ExperimentShape(
                name=one.name, about=one.description.about, seconds=one.description.duration
            )
            for one in listed
        )
    )


def _experiment(
    experiment: Experiment, place: Path, console: Printer, pool: WorkerPool
) -> MeasuresShape:
    """Play the missing matches of an experiment and report it."""
    watch: Callable[[str], None] = (lambda _: None) if console.quiet else say
    load_measure(experiment)  # shows a mistake before hours of play
    if experiment.description.simulates:
        return _report(experiment, place, console, drawn=drawn(experiment, place, watch))
    if not experiment.tournaments:
        return _report(experiment, place, console)
    try:
        return _played(experiment, place, console, pool)
    except BegunOtherwise:
        if not experiment.quick:
            raise
        # a quick run takes seconds, and is repeated while its bots are being worked on
        for path in place.glob("arena.db*"):
            path.unlink()
        return _played(experiment, place, console, pool)


def _played(
    experiment: Experiment, place: Path, console: Printer, pool: WorkerPool
) -> MeasuresShape:
    with (
        closing(Store(f"sqlite:///{place / 'arena.db'}")) as store,
        Lease(store.database),
        Screen(store, console) as screen,
    ):
        play_experiment(store, experiment, place, screen, pool)
        return _report(experiment, place, console, store)


def _report(
    experiment: Experiment,
    place: Path,
    console: Printer,
    store: Store | None = None,
    drawn: Drawn | None = None,
) -> MeasuresShape:
    measures = measured(experiment, store, drawn)
    console.print(measures_table(experiment, measures))
    console.print(
        write_report(experiment, measures, place / "report", __version__, store), soft_wrap=True
    )
    published = experiment.description.published
    return MeasuresShape(
        name=experiment.name,
        report=str(place / "report" / "report.md"),
        rows=tuple(
            MeasureShape(
                what=what,
                ours=Figure.model_validate(ours),
                published=published[what].value if what in published else None,
                says=published[what].says if what in published else "",
            )
            for what, ours in measures.rows.items()
        ),
    )


def experiments_table(listed: Sequence[Experiment]) -> Rows:
    """Draw the table of experiments, with how long each takes on two cores."""
    shown = Rows("experiment", "on 2 cores", "about")
    for one in listed:
        shown.add_row(one.name, spoken(one.description.duration), one.description.about)
    return shown


def measures_table(experiment: Experiment, measures: Measures) -> Rows:
    """Draw our figures beside the published ones."""
    shown = Rows(title=experiment.name)
    for heading in HEADINGS:
        shown.add_column(heading)
    for row in compared(measures.rows, experiment.description.published):
        shown.add_row(*row)
    return shown
