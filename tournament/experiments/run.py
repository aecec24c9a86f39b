"""Experiments: tournaments that anybody can repeat, with the figures they are held against.

An experiment is a folder:

    experiment.yaml    what it is about, its seed, the bots that it enters, the published figures
    tournaments/       ordinary tournament files
    <its name>.py      `measure`: from the stored seasons to rows and plots (`-` is `_` there)
    bots/              bots that only this experiment needs, if there are any

What several measures share is a module beside these folders; of a bot's library they import what
`include` names.

It is played in a database of its own. Seed, bots and settings give the same cards every time, so
where all bots are deterministic or draw from the question alone, a repetition gives the same rows.
An experiment that names no bots plays nothing: it has no tournaments, no seed and no database, and
its measure computes rows from no seasons.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Self, cast

import yaml
from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from common import marked_yaml
from common.did_you_mean import meant
from common.errors import UserError
from common.marked_yaml import MarkedYaml
from leaderboard.storage.store import Store
from sandbox.bundles import archives, manifest
from sandbox.bundles.bundle import BadBundle, Bundle
from tournament.authors.submission import read_bot, take
from tournament.experiments.measures import Findings, Measure, Stage
from tournament.fields import Part
from tournament.play.runner import run, run_once
from tournament.play.season import Audience
from tournament.play.worker_pool import Crew
from tournament.settings import Settings, changed, read_folder, thaw
from tournament.units import Duration

FILE = "experiment.yaml"
AUTHOR = "experiment"


class BadExperiment(UserError):
    """An experiment can't be found, played or measured; the message says why."""


class BegunOtherwise(BadExperiment):
    """An experiment was begun with other bots, settings or another seed."""


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
    """A bot's folder, seen from the experiment's own; `with` are other bots that it carries.

    The files of each lie in the folder that it is named by.
    """

    bot: str
    others: Annotated[dict[str, str], Field(alias="with", default_factory=dict)]


class Quick(Part):
    """What the smoke run plays: `only` these tournaments, with these settings in place of theirs.

    The settings are whatever a tournament's file may say; options of the game and of the format
    are laid over its own, one by one.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    only: tuple[str, ...] = ()


class Published(Part):
    """A figure that somebody published, or what it `says` without one.

    `within` is how far off ours may be to be called alike; or it must lie `between` two. `of` tells
    where it stands, for a source that is several things: a paper's text, its authors' data.
    """

    value: float | None = None
    says: str = ""
    within: float | None = None
    between: tuple[float, float] | None = None
    of: str = ""

    @model_validator(mode="after")
    def _is_held_against(self) -> Self:
        """A figure, or words with the two figures that they mean."""
        if (self.value is None) != bool(self.says):
            raise ValueError("give the value that was published, or what it says without one")
        if self.says and (self.between is None or self.within is not None):
            raise ValueError("what is said without a value needs between, the figures it means")
        return self

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Where ours must lie; None where nobody said."""
        if self.within is None or self.value is None:
            return self.between
        return self.value - self.within, self.value + self.within


class Description(Part):
    """An experiment.yaml.

    `duration` is that of a full run on two cores. `bots` says under which name each folder is
    entered, so that one bot can be entered several times; where there are none, nothing is played.
    `include` are folders, seen from the experiment's own, that the measure imports by their names.
    `published` goes by the names of rows.
    """

    about: str
    source: str = ""
    duration: Duration
    seed: Annotated[bytes, BeforeValidator(_seed)] = b""
    quick: Quick | None = None
    bots: dict[str, Annotated[Entry, BeforeValidator(_entry)]] = Field(default_factory=dict)
    include: tuple[str, ...] = ()
    published: dict[str, Published] = Field(default_factory=dict)

    @field_validator("bots")
    @classmethod
    def _playable(cls, bots: Mapping[str, Entry], info: ValidationInfo) -> Mapping[str, Entry]:
        """Who plays is dealt to from a seed, and in the smoke run plays less."""
        for key in ("seed", "quick"):
            if bots and not info.data.get(key, "wrong"):
                raise ValueError(f"must come with `{key}`")
        return bots


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as its folder describes it; `tournaments` are sized for the run at hand.

    There are none where nothing is played; then it is never `quick`, as there is nothing to cut.
    """

    name: str
    folder: Path
    description: Description
    tournaments: tuple[Settings[Any], ...]
    quick: bool


def read_experiment(folder: Path, *, quick: bool = False) -> Experiment:
    """Read an experiment's folder; raises `BadYaml`, `NoTournament` and `BadExperiment`."""
    path = folder / FILE
    try:
        marked = marked_yaml.read(path.read_bytes(), str(path))
    except OSError as error:
        raise BadExperiment(f"{path} can't be read: {error.strerror}") from error
    description = marked.check(Description)
    if not description.bots:
        if (folder / "tournaments").exists():
            raise BadExperiment(f"{path} names no bots for the tournaments of {folder.name}")
        return Experiment(folder.name, folder, description, (), quick=False)
    tournaments = read_folder(folder / "tournaments")
    assert description.quick is not None, "where there are bots there is a smoke run"
    smaller = _smaller(tournaments, description.quick, marked)
    return Experiment(folder.name, folder, description, smaller if quick else tournaments, quick)


def _smaller(
    tournaments: Sequence[Settings[Any]], quick: Quick, marked: MarkedYaml
) -> tuple[Settings[Any], ...]:
    """Cut the tournaments of an experiment down for its smoke run."""
    names = [settings.name for settings in tournaments]
    for place, name in enumerate(quick.only):
        if name not in names:
            message = f"quick.only {name!r} is no tournament here: {meant(name, names)}"
            raise BadExperiment(marked.mistake(("quick", "only", place), message))
    said = marked.part(("quick",))
    said = replace(said, data={key: said.data[key] for key in said.data if key != "only"})
    return tuple(
        changed(settings, said)
        for settings in tournaments
        if not quick.only or settings.name in quick.only
    )


def experiments(folder: Path, *, quick: bool = False) -> tuple[Experiment, ...]:
    """Read all experiments of a folder in order of name; raises what `read_experiment` raises."""
    if not folder.is_dir():
        raise BadExperiment(f"there is no folder {folder}, where experiments are looked for")
    found = sorted(path.parent for path in folder.glob(f"*/{FILE}"))
    if not found:
        raise BadExperiment(f"there is no experiment (*/{FILE}) in {folder}")
    return tuple(read_experiment(path, quick=quick) for path in found)


def experiment(folder: Path, name: str, *, quick: bool = False) -> Experiment:
    """Read the experiment of a name; raises `BadExperiment` with names that are near."""
    names = [path.parent.name for path in sorted(folder.glob(f"*/{FILE}"))]
    if name not in names:
        hint = meant(name, names)
        raise BadExperiment(f"no experiment in {folder} is called {name!r}: {hint}")
    return read_experiment(folder / name, quick=quick)


def play(store: Store, wanted: Experiment, place: Path, audience: Audience, crew: Crew) -> None:
    """Play what is missing of an experiment; the bots as they are entered are kept in `place`.

    Raises `BegunOtherwise` where the store holds it with other bots, settings or another seed,
    `BadExperiment` where a bot can't play on this machine, and what else keeps a tournament from
    being played.
    """
    bundles = dict(_bundles(wanted))
    _require_the_same(store, wanted, bundles)
    (place / "bots").mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, bundle in bundles.items():
        archive = place / "bots" / f"{name}.tar.gz"
        archive.write_bytes(bundle.archive())
        taken = take(store, archive, AUTHOR)
        if taken.waits_for:
            raise BadExperiment(f"{wanted.name} needs {name}, which waits for: {taken.waits_for}")
    for settings in wanted.tournaments:
        begun = store.seasons(settings.name)
        if not begun:
            run_once(store, settings, audience, wanted.description.seed, crew)
        elif begun[0].finished is None:
            for error in run(store, [settings], audience, wait=False, crew=crew).values():
                raise error


def measured(wanted: Experiment, store: Store | None = None) -> Findings:
    """Measure an experiment that was played, or one that plays nothing; raises `BadExperiment`."""
    findings = load_measure(wanted)(_stages(store, wanted) if store else {})
    missing = sorted(wanted.description.published.keys() - findings.rows.keys())
    left_out = wanted.quick and wanted.description.quick and wanted.description.quick.only
    if missing and not left_out:
        raise BadExperiment(
            f"{wanted.folder / FILE}: published.{missing[0]} is no row of {wanted.name}, whose rows"
            f" are {', '.join(findings.rows)}"
        )
    return findings


def _stages(store: Store, wanted: Experiment) -> Mapping[str, Stage]:
    """Find the seasons of an experiment; raises `BadExperiment` where a bot took no part."""
    seasons = {settings.name: store.seasons(settings.name)[0] for settings in wanted.tournaments}
    for season in seasons.values():
        for entrant in store.entrants(season.id):
            if entrant.sits_out:
                bot = store.versions([entrant.version_id])[entrant.version_id].bot
                raise BadExperiment(f"{wanted.name} was played without {bot}: {entrant.sits_out}")
    return {name: Stage(store, season) for name, season in seasons.items()}


def load_measure(wanted: Experiment) -> Measure:
    """Find the function that measures an experiment; raises `BadExperiment`."""
    module_name = wanted.name.replace("-", "_")
    path = wanted.folder / f"{module_name}.py"
    if not path.is_file():
        raise BadExperiment(f"there is no {path}, which measures {wanted.name}")
    spec = spec_from_file_location(f"experiment_{module_name}", path)
    assert spec is not None, "a file that ends in .py can be loaded"
    assert spec.loader is not None, "and has a loader"
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    included = _included(wanted)
    try:
        with _importable(wanted.folder.parent, included):
            spec.loader.exec_module(module)
    except Exception as error:
        raise BadExperiment(f"{path} can't be loaded: {type(error).__name__}: {error}") from error
    if not callable(getattr(module, "measure", None)):
        raise BadExperiment(f"{path} has no function `measure`")
    return cast(Measure, module.measure)


def _included(wanted: Experiment) -> Sequence[Path]:
    """Find the folders that a measure imports; raises `BadExperiment`."""
    folders = []
    for name in wanted.description.include:
        folder = wanted.folder / name
        if not folder.is_dir():
            raise BadExperiment(f"{wanted.folder / FILE}: include names {name}, which is no folder")
        folders.append(folder)
    return folders


@contextmanager
def _importable(shared: Path, included: Sequence[Path]) -> Iterator[None]:
    """Let a measure import the modules of the folder `shared`, and included folders as packages.

    The packages are forgotten afterwards: the next experiment may include another `lib`.
    """
    names = {folder.name for folder in included}
    hidden = {name: sys.modules.pop(name) for name in _modules_of(names)}
    sys.path.insert(0, str(shared))
    for folder in included:
        package = ModuleType(folder.name)
        package.__path__ = [str(folder)]
        sys.modules[folder.name] = package
    try:
        yield
    finally:
        sys.path.remove(str(shared))
        for name in _modules_of(names):
            del sys.modules[name]
        sys.modules.update(hidden)


def _modules_of(packages: set[str]) -> Sequence[str]:
    return [name for name in sys.modules if name.partition(".")[0] in packages]


def _bundles(wanted: Experiment) -> Iterable[tuple[str, Bundle]]:
    """Pack every bot under the name that it is entered with; raises `Refused`."""
    for name, entry in wanted.description.bots.items():
        files = dict(read_bot(wanted.folder / entry.bot).files)
        for inside, other in entry.others.items():
            carried = read_bot(wanted.folder / other).files
            files |= {f"{inside}/{path}": content for path, content in carried.items()}
        described = yaml.safe_load(files[manifest.FILE])
        if described["name"] != name:
            files[manifest.FILE] = yaml.safe_dump({**described, "name": name}).encode()
        try:
            yield name, Bundle.from_archive(archives.pack(files.items()))
        except BadBundle as error:
            raise BadExperiment(f"{wanted.folder / FILE}: bots.{name}: {error}") from error


def _require_the_same(store: Store, wanted: Experiment, bundles: Mapping[str, Bundle]) -> None:
    """Refuse to go on with what was begun otherwise: half of its matches would be something else.

    What was played before a change is no part of the experiment as it is now.
    """
    begun = [season for settings in wanted.tournaments for season in store.seasons(settings.name)]
    changed = [
        f"the settings of {settings.name}"
        for settings in wanted.tournaments
        for season in store.seasons(settings.name)
        if thaw(season.settings).freeze() != settings.freeze()  # old ones lack younger options
    ]
    if any(season.seed != wanted.description.seed for season in begun):
        changed.append("its seed")
    versions = store.versions([e.version_id for season in begun for e in store.entrants(season.id)])
    for version in versions.values():
        if version.bot not in bundles or bundles[version.bot].digest != version.digest:
            changed.append(f"the bot {version.bot}")
    if changed:
        raise BegunOtherwise(
            f"{wanted.name} was begun before {changed[0]} changed: delete {store.database.title} to"
            " play it anew"
        )
