"""Having all matches of a season checked: by the workers there are, and not again after a pause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from results.checkpoint import Checkpoint, Finding, SeasonFindings
from tournament.play.pool import WorkerPool
from verify.evidence import Evidence
from verify.findings import Unchanged

IN_FLIGHT = 3
"""Tasks handed out for each worker, so that none is idle while findings are kept."""

Outcome = Sequence[Finding | Unchanged]


@dataclass(frozen=True, slots=True)
class Headway:
    """How far the check of a season's matches has come.

    `matches` of `total` were looked at, `earlier` of them before it was interrupted; this sitting
    only made sure that those have not changed.
    """

    tournament: str
    number: int
    matches: int
    earlier: int
    total: int


@dataclass(slots=True)
class Inspector:
    """Who checks the matches of seasons, and where the findings are kept meanwhile.

    Without a `pool` of workers all is done in this process. `watch` is told after each task.
    `bundles` is what is wrong with the files of each version that was checked: a version that plays
    in many seasons is unpacked once.
    """

    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    pool: WorkerPool | None = None
    watch: Callable[[Headway], None] = lambda _: None
    bundles: dict[int, Sequence[str]] = field(default_factory=dict)

    def findings(self, evidence: Evidence) -> SeasonFindings:
        """Have every match of a season checked, unless an earlier finding still holds."""
        found = self.checkpoint.season(evidence.place, evidence.terms.digest)
        season = evidence.season
        done, total = 0, evidence.count
        self.watch(Headway(season.tournament, season.number, 0, 0, total))
        for outcome in self._outcomes(evidence, found):
            found.confirm(each.key for each in outcome if isinstance(each, Unchanged))
            found.add([each for each in outcome if isinstance(each, Finding)])
            done += len(outcome)
            self.watch(Headway(season.tournament, season.number, done, found.earlier, total))
        return found

    def _outcomes(self, evidence: Evidence, found: SeasonFindings) -> Iterator[Outcome]:
        """What comes of each task, in no order; tasks are made as workers become free."""
        tasks = evidence.tasks(found)
        if self.pool is None:
            yield from (task.here() for task in tasks)
            return
        with self.pool.lane(evidence.place) as lane:
            away: set[Future[Outcome]] = set()
            for task in tasks:
                away.add(lane.submit(task.function, *task.arguments))
                if len(away) >= self.pool.workers * IN_FLIGHT:
                    done, away = wait(away, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in done)
            while away:
                done, away = wait(away, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
