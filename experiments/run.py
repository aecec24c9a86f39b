"""Playing an experiment, and measuring the seasons that were played."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import cast

import yaml

from card_arena.experiments.description import FILE, BadExperiment, Experiment
from card_arena.experiments.measures import Drawn, Measure, Measures, Stage
from card_arena.results.store import Store
from card_arena.sandbox.bundles import archives, manifest
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.play.season import Audience
from card_arena.tournament.settings import thaw
from card_arena.tournament.submissions import read_bot, take

AUTHOR = "experiment"


class BegunOtherwise(BadExperiment):
    """An experiment was begun with other bots, other settings or another seed."""


def play(
    store: Store, experiment: Experiment, place: Path, audience: Audience, pool: WorkerPool
) -> None:
    """Play the missing matches of an experiment; its bots are kept in `place` as entered.

    Raises `BegunOtherwise` if the store holds it with other bots, other settings or another seed,
    `BadExperiment` if a bot can't play on this machine, and whatever else prevents a tournament.
    """
    bundles = dict(_bundles(experiment))
    _require_the_same(store, experiment, bundles)
    (place / "bots").mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, bundle in bundles.items():
        archive = place / "bots" / f"{name}.tar.gz"
        archive.write_bytes(bundle.archive())
        taken = take(store, archive, AUTHOR)
        if taken.waits_for:
            raise BadExperiment(
                f"{experiment.name} needs {name}, which waits for: {taken.waits_for}"
            )
    for settings in experiment.tournaments:
        begun = store.seasons(settings.name)
        if not begun:
            run_once(store, settings, audience, experiment.description.seed, pool)
        elif begun[0].finished is None:
            for error in run(store, [settings], audience, wait=False, pool=pool).values():
                raise error


def measured(
    experiment: Experiment, store: Store | None = None, drawn: Drawn | None = None
) -> Measures:
    """Measure an experiment that was played or drawn, or that only computes.

    Raises `BadExperiment`.
    """
    stages = _stages(store, experiment) if store else {}
    measures: Measures = load(experiment).measure(stages if drawn is None else drawn)
    missing = sorted(experiment.description.published.keys() - measures.rows.keys())
    left_out = (
        experiment.quick and experiment.description.quick and experiment.description.quick.only
    )
    if missing and not left_out:
        raise BadExperiment(
            f"{experiment.folder / FILE}: published.{missing[0]} is not a row of"
            f" {experiment.name}, whose rows are {', '.join(measures.rows)}"
        )
    return measures


def _stages(store: Store, experiment: Experiment) -> Mapping[str, Stage]:
    """Find the seasons of an experiment; raises `BadExperiment` if a bot took no part."""
    seasons = {
        settings.name: store.seasons(settings.name)[0] for settings in experiment.tournaments
    }
    for season in seasons.values():
        for entrant in store.entrants(season.id):
            if entrant.sits_out:
                bot = store.versions([entrant.version_id])[entrant.version_id].bot
                raise BadExperiment(
                    f"{experiment.name} was played without {bot}: {entrant.sits_out}"
                )
    return {name: Stage(store, season) for name, season in seasons.items()}


def load_measure(experiment: Experiment) -> Measure:
    """Find the function that measures an experiment; raises `BadExperiment`."""
    return cast(Measure, load(experiment).measure)


def load(experiment: Experiment) -> ModuleType:
    """Load the module that measures an experiment; raises `BadExperiment`."""
    module_name = experiment.name.replace("-", "_")
    path = experiment.folder / f"{module_name}.py"
    if not path.is_file():
        raise BadExperiment(f"there is no {path}, which measures {experiment.name}")
    spec = spec_from_file_location(f"experiment_{module_name}", path)
    assert spec is not None, "a file that ends in .py can be loaded"
    assert spec.loader is not None, "and has a loader"
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    included = _included(experiment)
    try:
        with _importable(experiment.folder.parent, included):
            spec.loader.exec_module(module)
    except Exception as error:
        raise BadExperiment(f"{path} can't be loaded: {type(error).__name__}: {error}") from error
    needed = ("cells", "draw") if experiment.description.simulates else ()
    for name in (*needed, "measure"):
        if not callable(getattr(module, name, None)):
            raise BadExperiment(f"{path} has no function `{name}`")
    return module


def _included(experiment: Experiment) -> Sequence[Path]:
    """Find the folders from which a measure imports; raises `BadExperiment`."""
    folders = []
    for name in experiment.description.include:
        folder = experiment.folder / name
        if not folder.is_dir():
            raise BadExperiment(
                f"{experiment.folder / FILE}: include names {name}, which is not a folder"
            )
        folders.append(folder)
    return folders


@contextmanager
def _importable(shared: Path, included: Sequence[Path]) -> Iterator[None]:
    """Let a measure import the modules of the folder `shared`, and included folders as packages.

    The packages are unloaded afterwards, since the next experiment may include another `lib`.
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


def _bundles(experiment: Experiment) -> Iterable[tuple[str, Bundle]]:
    """Pack every bot under the name of its entry; raises `Rejected`."""
    for name, entry in experiment.description.bots.items():
        files = dict(read_bot(experiment.folder / entry.bot).files)
        for inside, other in entry.others.items():
            carried = read_bot(experiment.folder / other).files
            files |= {f"{inside}/{path}": content for path, content in carried.items()}
        described = yaml.safe_load(files[manifest.FILE])
        if described["name"] != name:
            files[manifest.FILE] = yaml.safe_dump({**described, "name": name}).encode()
        try:
            yield name, Bundle.from_archive(archives.pack(files.items()))
        except BadBundle as error:
            raise BadExperiment(f"{experiment.folder / FILE}: bots.{name}: {error}") from error


def _require_the_same(store: Store, experiment: Experiment, bundles: Mapping[str, Bundle]) -> None:
    """Refuse to continue a run that was begun with other inputs: its matches would be a mixture.

    Matches played before a change don't belong to the experiment as it is now.
    """
    begun = [
        season for settings in experiment.tournaments for season in store.seasons(settings.name)
    ]
    changed = [
        f"the settings of {settings.name}"
        for settings in experiment.tournaments
        for season in store.seasons(settings.name)
        if thaw(season.settings).freeze() != settings.freeze()  # old settings lack newer options
    ]
    if any(season.seed != experiment.description.seed for season in begun):
        changed.append("its seed")
    versions = store.versions([e.version_id for season in begun for e in store.entrants(season.id)])
    for version in versions.values():
        if version.bot not in bundles or bundles[version.bot].digest != version.digest:
            changed.append(f"the bot {version.bot}")
    if changed:
        raise BegunOtherwise(
            f"{experiment.name} was started before {changed[0]} changed: delete"
            f" {store.database.title} to play it again"
        )
