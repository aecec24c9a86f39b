"""The runs of a simulation: drawn on all cores, and kept so that nothing is drawn twice.

An experiment that `simulates` has three functions: `cells` says how often each cell of its table is
drawn at a size, `draw` draws one run of a cell from the cell's name and the run's number alone, and
`measure` makes rows of all runs.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from card_arena.common.processes import end_with_parent, uninterrupted
from card_arena.experiments.description import Experiment
from card_arena.experiments.measures import Drawn, Size
from card_arena.experiments.run import load

TOP = Path(__file__).parents[1]

DECIDING = ("formats", "experiments/simulated.py", "ratings")
"""The parts of the arena on which runs depend: runs of other code are never mixed in."""

NICE = 10
"""Simulating takes long and can wait."""

Figures = Mapping[str, float]
Run = tuple[str, int]
"""A cell, and the number of one of its runs."""


def size_of(experiment: Experiment) -> Size:
    return "quick" if experiment.quick else "full" if experiment.full else "usual"


def drawn(experiment: Experiment, place: Path, say: Callable[[str], None]) -> Drawn:
    """Draw the runs of an experiment that are missing in `place`, and return all of its size.

    It can be stopped at any moment: each run is written down as soon as it is drawn. Raises
    `BadExperiment` if the experiment's module can't be loaded.
    """
    cells: Mapping[str, int] = load(experiment).cells(size_of(experiment))
    place.mkdir(parents=True, exist_ok=True)
    file = _RunFile(place / f"runs-{_digest(experiment.folder)}.jsonl")
    needed = [(cell, number) for cell, runs in cells.items() for number in range(runs)]
    missing = [run for run in needed if run not in file.runs]
    step = max(1, len(missing) // 10)
    with closing(_draw(experiment, missing)) as runs:
        for count, (run, figures) in enumerate(runs, start=1):
            file.add(run, figures)
            if count % step == 0:
                say(f"{count:,} of {len(missing):,} runs are drawn")
    return {
        cell: [file.runs[cell, number] for number in range(runs)] for cell, runs in cells.items()
    }


class _RunFile:
    """The file of the runs that were drawn, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.runs: dict[Run, Figures] = {}
        if not path.exists():
            return
        whole, _, torn = path.read_text(encoding="utf-8").rpartition("\n")
        for line in whole.splitlines():
            cell, number, figures = json.loads(line)
            self.runs[cell, number] = figures
        if torn:  # the last line of a run that was killed
            path.write_text(f"{whole}\n" if whole else "", encoding="utf-8")

    def add(self, run: Run, figures: Figures) -> None:
        self.runs[run] = figures
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([*run, figures]) + "\n")


def _draw(experiment: Experiment, missing: list[Run]) -> Generator[tuple[Run, Figures], None, None]:
    """Draw runs on all cores, in whatever order they are done.

    The processes are forked from one that has imported the arena: each importing it for itself
    would take a second.
    """
    if not missing:
        return
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(
        min(len(missing), os.cpu_count() or 1),
        mp_context=context,
        initializer=_begin,
        initargs=(experiment,),
    ) as pool:
        # a run's futures wait in order, so the first cells are complete first
        try:
            with uninterrupted():
                futures = {pool.submit(_one, run): run for run in missing}
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            # waited for: a pool that is forgotten before it has cancelled them draws them all
            pool.shutdown(cancel_futures=True)


_loaded: list[ModuleType] = []
"""In a process that draws: the experiment's module."""


def _begin(experiment: Experiment) -> None:
    end_with_parent()
    with suppress(OSError):
        os.nice(NICE)
    _loaded.append(load(experiment))


def _one(run: Run) -> Figures:
    figures: Figures = _loaded[-1].draw(*run)
    return figures


def _digest(folder: Path) -> str:
    """What the runs follow from: the experiment's own files, and the parts of the arena."""
    digest = hashlib.sha256()
    roots = [(folder, folder), *((TOP, TOP / part) for part in DECIDING)]
    for base, root in roots:
        for path in sorted(root.rglob("*")) or [root]:
            if path.suffix in (".py", ".json") and path.is_file():
                digest.update(f"{path.relative_to(base)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
