"""Experiments, for programs."""

from __future__ import annotations

from leaderboard.models import Figure, Shape


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
