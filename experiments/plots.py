"""Plots of measures as SVG and PNG files. The one module that needs matplotlib.

matplotlib takes a while to import and comes only with the extra `report`, so this module is
imported only when something is about to be drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from card_arena.experiments.measures import Bars, Boxes, Histogram, Plot
from card_arena.ratings.intervals import Estimate

mpl.use("Agg")  # no window, wherever it runs


GROUP = 0.8
"""The share of the space between two labels that their bars take."""

STYLE: dict[str, object] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.alpha": 0.4,
    "svg.hashsalt": "arena",  # the same picture is the same file
}


def draw(plots: Mapping[str, Plot], folder: Path) -> None:
    """Write every plot as NAME.svg and NAME.png; equal plots give equal files."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        for name, plot in plots.items():
            figure = Figure(figsize=(8, 4.5), layout="constrained")
            axes = figure.subplots()
            axes.set_title(plot.title)
            if isinstance(plot, Boxes):
                _boxes(axes, plot)
            elif isinstance(plot, Bars):
                _bars(axes, plot)
            else:
                _histogram(axes, plot)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            figure.set_layout_engine("none")  # repeating the layout takes as long as drawing
            figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})


def _boxes(axes: Axes, plot: Boxes) -> None:
    axes.set_ylabel(plot.axis)
    axes.boxplot([list(values) for values in plot.groups.values()], tick_labels=list(plot.groups))
    if plot.log:
        axes.set_yscale("symlog", linthresh=1)
    _slanted(axes, list(plot.groups))


def _bars(axes: Axes, plot: Bars) -> None:
    axes.set_ylabel(plot.axis)
    labels = list(dict.fromkeys(label for estimates in plot.series.values() for label in estimates))
    width = GROUP / len(plot.series)
    for number, (name, estimates) in enumerate(plot.series.items()):
        shift = (number - (len(plot.series) - 1) / 2) * width
        places = [labels.index(label) + shift for label in estimates]
        heights = [one.value for one in estimates.values()]
        axes.bar(places, heights, width, label=name)
        for place, one in zip(places, estimates.values(), strict=True):
            _whisker(axes, place, one)
    axes.set_xticks(range(len(labels)), labels)
    _slanted(axes, labels)
    if len(plot.series) > 1:
        axes.legend()


def _histogram(axes: Axes, plot: Histogram) -> None:
    axes.set_xlabel(plot.axis)
    axes.set_ylabel("share")
    edges = list(plot.edges)
    if not edges:
        edges = [number - 0.5 for number in range(int(min(plot.seen)), int(max(plot.seen)) + 2)]
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    shares = [times / sum(plot.seen.values()) for times in plot.seen.values()]
    axes.hist(list(plot.seen), edges, weights=shares, rwidth=GROUP if not plot.edges else 1)


def _whisker(axes: Axes, place: float, one: Estimate) -> None:
    if one.low is not None and one.high is not None:
        # a rate of 0 or 1 is an end of its own interval, apart from the last digit
        reach = ([max(0.0, one.value - one.low)], [max(0.0, one.high - one.value)])
        axes.errorbar([place], [one.value], yerr=reach, color="black", capsize=3)


def _slanted(axes: Axes, labels: list[str]) -> None:
    """Rotate labels that would overlap."""
    if sum(map(len, labels)) > 70:
        axes.tick_params(axis="x", labelrotation=30)
