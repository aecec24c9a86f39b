"""The report of an experiment: a folder with a table, plots, and the means to repeat it."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from platform import python_version

from card_arena.common.moments import day
from card_arena.common.text import markdown_table
from card_arena.experiments.description import FILE, Experiment, Published
from card_arena.experiments.measures import Measures
from card_arena.ratings.intervals import Estimate
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES

TOO_FEW = "too few"
"""The interval of a figure that was seen in too few matches."""

HEADINGS = ("what", "ours", "95 % interval", "seen", "published", "difference", "as published")

NO_PLOTS = "; it has no plots, since matplotlib is not installed (pip install matplotlib)"


def write_report(
    experiment: Experiment,
    measures: Measures,
    folder: Path,
    version: str,
    store: Store | None = None,
) -> str:
    """Write or replace an experiment's report: report.md, rows.csv, plots and how to repeat it.

    `version` is the arena's; `store` is where it was played, None if it plays nothing. Without
    matplotlib there are no plots. Everything but the last section of report.md follows from the
    stored matches: the same matches give the same files. Returns a sentence that says where the
    report is.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if experiment.tournaments:
        shutil.copytree(experiment.folder / "tournaments", folder / "tournaments")
    shutil.copy(experiment.folder / FILE, folder / FILE)
    rows = list(compared(measures.rows, experiment.description.published))
    with (folder / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADINGS)
        writer.writerows(rows)
    drawn = find_spec("matplotlib") is not None
    if drawn:
        from card_arena.experiments.plots import draw

        draw(measures.plots, folder)
    text = _text(experiment, measures, rows, version, store, drawn=drawn)
    (folder / "report.md").write_text(text, encoding="utf-8")
    return f"the report: {folder / 'report.md'}{'' if drawn else NO_PLOTS}"


def compared(
    rows: Mapping[str, Estimate], published: Mapping[str, Published]
) -> Iterator[tuple[str, ...]]:
    """Put our figures beside the published ones, as texts in the order of `HEADINGS`."""
    for name, ours in rows.items():
        theirs = published.get(name)
        places = _places(ours)
        seen = "-" if ours.trials is None else f"{ours.trials:,}"
        interval = "-" if ours.trials is None else TOO_FEW
        if ours.low is not None and ours.high is not None:
            interval = f"{ours.low:,.{places}f} to {ours.high:,.{places}f}"
        if theirs is None:
            beside = ("-", "-", "-")
        else:
            off = "-" if theirs.value is None else f"{ours.value - theirs.value:+,.{places}f}"
            text = theirs.says if theirs.value is None else f"{theirs.value:g}"
            alike = "-"
            if theirs.bounds is not None:
                low, high = theirs.bounds
                alike = "yes" if low - 1e-12 <= ours.value <= high + 1e-12 else "no"
                alike += f" ({low:.4g} to {high:.4g})"
            beside = (f"{text} ({theirs.of})" if theirs.of else text, off, alike)
        yield name, f"{ours.value:,.{places}f}", interval, seen, *beside


def _places(ours: Estimate) -> int:
    """The number of decimals: three for rates, two for points, none for thousands of chips.

    A computed figure has one more than the figure that it is compared with.
    """
    if ours.trials is None:
        return 4
    value = ours.value
    return 3 if abs(value) < 2 else 2 if abs(value) < 1000 else 0


def _text(
    experiment: Experiment,
    measures: Measures,
    rows: Sequence[tuple[str, ...]],
    version: str,
    store: Store | None,
    *,
    drawn: bool,
) -> str:
    described = experiment.description
    parts = [
        f"# {experiment.name}{' (quick: too small to say anything)' if experiment.quick else ''}",
        described.about,
        markdown_table(HEADINGS, [tuple(row) for row in rows]),
        f"Published: {described.source}" if described.source else "Nothing was published.",
        *(f"![{plot.title}]({name}.svg)" for name, plot in measures.plots.items() if drawn),
        *(_computed(experiment, version) if store is None else _played(experiment, version, store)),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _computed(experiment: Experiment, version: str) -> Sequence[str]:
    """Say how to repeat an experiment that plays nothing."""
    size = " --quick" if experiment.quick else " --full" if experiment.full else ""
    done = (
        "draws it; the same runs come out again"
        if experiment.description.simulates
        else "computes it"
    )
    return (
        "## Again",
        f"`arena experiment {experiment.name}{size}` {done}. Nothing is played.",
        "## Computed",
        f"By Card Arena {version}, Python {python_version()}.",
    )


def _played(experiment: Experiment, version: str, store: Store) -> Sequence[str]:
    """Say how to repeat an experiment that was played, and who took part."""
    settings = experiment.tournaments[0]
    seasons = [store.seasons(tournament.name)[0] for tournament in experiment.tournaments]
    entrants = {e.version_id for season in seasons for e in store.entrants(season.id)}
    bots = sorted(store.versions([*entrants]).values(), key=lambda one: one.bot)
    return (
        "## Again",
        f"`arena experiment {experiment.name}{' --quick' if experiment.quick else ''}` plays it,"
        f" with the seed {experiment.description.seed.hex()}. `arena verify --database"
        f" sqlite:///{store.database.title}` deals, plays and counts all of it again.",
        markdown_table(
            ("bot", "language", "SHA-256 of its files"),
            [(one.bot, one.language, one.digest[:16]) for one in bots],
        ),
        "## Played",
        f"From {day(min(season.started for season in seasons))}, by Card Arena {version},"
        f" rules of {settings.game} version {GAMES[settings.game].version}, Python"
        f" {python_version()}.",
    )


def spoken(seconds: float) -> str:
    """Write a duration in everyday words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
