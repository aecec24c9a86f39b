"""Experiments: tournaments that anyone can repeat, with the figures they are held against.

An experiment is a folder:

    experiment.yaml    what it is about, its seed, the bots that it enters, the published figures
    tournaments/       ordinary tournament files
    <its name>.py      `measure`: from the stored seasons to rows and plots (`-` is `_` there)
    bots/              bots that only this experiment needs, if there are any

Code that several measures share is a module beside these folders; from a bot's library they import
only what `include` names.

It is played in a database of its own. The same seed, bots and settings give the same cards every
time, so if all bots are deterministic, or random only in ways that follow from the question, a
repetition gives the same rows. An experiment that names no bots plays nothing: it has no
tournaments, no seed and no database, and its measure computes rows without seasons. If it
`simulates`, the measure is given what was drawn at random (`simulation.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from card_arena.common import marked_yaml
from card_arena.common.errors import UserError
from card_arena.common.marked_yaml import MarkedYaml
from card_arena.common.text import suggestion
from card_arena.common.units import Duration
from card_arena.formats.base import Part
from card_arena.tournament.settings import Settings, changed, read_folder

FILE = "experiment.yaml"


class BadExperiment(UserError):
    """An experiment can't be found, played or measured; the message says why."""


def _seed(value: object) -> bytes:
    try:
        seed = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise ValueError("must be 64 hexadecimal digits, in quotes")
    return seed


def _entry(value: object) -> object:
    return {"bot": value} if isinstance(value, str) else value


class Entry(Part):
    """A bot's folder, relative to the experiment's; `with` names other bots that it carries.

    The files of each lie in a folder of its name.
    """

    bot: str
    others: Annotated[dict[str, str], Field(alias="with", default_factory=dict)]


class Quick(Part):
    """What the smoke run plays: `only` these tournaments, with these settings replacing their own.

    Any setting of a tournament's file may be given; options of the game and of the format are
    overridden one by one.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    only: tuple[str, ...] = ()


class Published(Part):
    """A published figure, or the words of a source that `says` something without a figure.

    Our figure agrees if it is `within` this distance, or lies `between` two bounds. `of` says where
    the figure stands in a source that has several parts: a paper's text, its authors' data.
    """

    value: float | None = None
    says: str = ""
    within: float | None = None
    between: tuple[float, float] | None = None
    of: str = ""

    @model_validator(mode="after")
    def _is_held_against(self) -> Self:
        """Require a figure, or words with the two bounds that they mean."""
        if (self.value is None) != bool(self.says):
            raise ValueError("give the published `value`, or what was said instead under `says`")
        if self.says and (self.between is None or self.within is not None):
            raise ValueError(
                "`says` needs `between`, the two figures that the words mean, and no `within`"
            )
        return self

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The bounds for our figure; None if the source gives none."""
        if self.within is None or self.value is None:
            return self.between
        return self.value - self.within, self.value + self.within


class Description(Part):
    """An experiment.yaml.

    `duration` is how long a run takes on two cores. `bots` maps the names of entries to folders, so
    one bot can be entered several times; without bots nothing is played. An experiment that
    `simulates` draws runs at random instead; `full` is how long its full size takes. `include`
    lists folders, relative to the experiment's, that the measure imports by their names. The keys
    of `published` are the names of rows.
    """

    about: str
    source: str = ""
    duration: Duration
    seed: Annotated[bytes, BeforeValidator(_seed)] = b""
    quick: Quick | None = None
    bots: dict[str, Annotated[Entry, BeforeValidator(_entry)]] = Field(default_factory=dict)
    simulates: bool = False
    full: Duration | None = None
    include: tuple[str, ...] = ()
    published: dict[str, Published] = Field(default_factory=dict)

    @field_validator("bots")
    @classmethod
    def _playable(cls, bots: Mapping[str, Entry], info: ValidationInfo) -> Mapping[str, Entry]:
        """Require a seed to deal from and a shorter smoke run wherever bots play."""
        for key in ("seed", "quick"):
            if bots and not info.data.get(key, "wrong"):
                raise ValueError(f"must come with `{key}`")
        return bots


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as its folder describes it; `tournaments` have the size of the current run.

    An experiment that plays nothing has no tournaments, and is never `quick` unless it simulates:
    nothing can be cut. Only one that simulates has a `full` size.
    """

    name: str
    folder: Path
    description: Description
    tournaments: tuple[Settings[Any], ...]
    quick: bool
    full: bool = False

    @property
    def smaller(self) -> bool:
        """Whether there is a larger size than that of this run."""
        return self.quick or (self.description.simulates and not self.full)

    @property
    def duration(self) -> float:
        """How long a run of its size takes on two cores, in seconds."""
        return (self.full and self.description.full) or self.description.duration


def read_experiment(folder: Path, *, quick: bool = False, full: bool = False) -> Experiment:
    """Read an experiment's folder; raises `BadYaml`, `NoTournament` and `BadExperiment`."""
    path = folder / FILE
    try:
        marked = marked_yaml.read(path.read_bytes(), str(path))
    except OSError as error:
        raise BadExperiment(f"{path} can't be read: {error.strerror}") from error
    description = marked.check(Description)
    if description.bots and description.simulates:
        raise BadExperiment(f"{path} names bots, so it can't simulate")
    if not description.bots:
        if (folder / "tournaments").exists():
            raise BadExperiment(f"{path} names no bots for the tournaments of {folder.name}")
        quick, full = quick and description.simulates, full and description.simulates
        return Experiment(folder.name, folder, description, (), quick, full)
    tournaments = tuple(map(_of_one_author, read_folder(folder / "tournaments")))
    assert description.quick is not None, "where there are bots there is a smoke run"
    smaller = _smaller(tournaments, description.quick, marked)
    return Experiment(folder.name, folder, description, smaller if quick else tournaments, quick)


def _of_one_author(settings: Settings[Any]) -> Settings[Any]:
    """All bots of an experiment are submitted by one author, so unless it says otherwise they may
    meet.
    """
    if "same_author" in settings.model_fields_set:
        return settings
    return settings.model_copy(update={"same_author": "together"})


def _smaller(
    tournaments: Sequence[Settings[Any]], quick: Quick, marked: MarkedYaml
) -> tuple[Settings[Any], ...]:
    """Cut an experiment's tournaments down to its smoke run."""
    names = [settings.name for settings in tournaments]
    for place, name in enumerate(quick.only):
        if name not in names:
            message = f"quick.only {name!r} is not a tournament here: {suggestion(name, names)}"
            raise BadExperiment(marked.mistake(("quick", "only", place), message))
    changes = marked.part(("quick",))
    changes = replace(
        changes, data={key: changes.data[key] for key in changes.data if key != "only"}
    )
    return tuple(
        changed(settings, changes)
        for settings in tournaments
        if not quick.only or settings.name in quick.only
    )


def experiments(folder: Path, *, quick: bool = False, full: bool = False) -> tuple[Experiment, ...]:
    """Read all experiments in a folder, in order of name; raises what `read_experiment` raises."""
    if not folder.is_dir():
        raise BadExperiment(f"there is no folder {folder} to look for experiments in")
    folders = sorted(path.parent for path in folder.glob(f"*/{FILE}"))
    if not folders:
        raise BadExperiment(f"there is no experiment (*/{FILE}) in {folder}")
    return tuple(read_experiment(path, quick=quick, full=full) for path in folders)


def experiment(folder: Path, name: str, *, quick: bool = False, full: bool = False) -> Experiment:
    """Read the experiment with a name; raises `BadExperiment` with similar names."""
    names = [path.parent.name for path in sorted(folder.glob(f"*/{FILE}"))]
    if name not in names:
        hint = suggestion(name, names)
        raise BadExperiment(f"no experiment in {folder} is called {name!r}: {hint}")
    return read_experiment(folder / name, quick=quick, full=full)
