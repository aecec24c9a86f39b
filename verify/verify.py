"""Checking a season from its seed: every pack, every action, every score, point and rating.

Everything follows from the records, the seed, the manifest and the ledger by published rules, so it
is recomputed here and compared. `verify/` has a file for each subject of the checks; a season comes
from the database or from a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from card_arena.results.entries import Season
from card_arena.results.proof.grammar import LedgerReader, SeasonState
from card_arena.results.store import Store
from card_arena.tournament.play.pool import WorkerPool
from card_arena.verify.evidence import EarlierMissing, Evidence, Filed, Stored
from card_arena.verify.findings import (
    Checkpoint,
    Finding,
    SeasonFindings,
    Totals,
    Unchanged,
    read_only,
)
from card_arena.verify.season import (
    SeasonLedger,
    of_facts,
    of_head,
    of_interventions,
    of_ledger,
    of_manifest,
    of_panels,
    of_probation,
    of_seasons,
    of_standings,
    of_tally,
)
from card_arena.verify.seats import of_seats

IN_FLIGHT = 3
"""Pending tasks for each worker, so that none is idle while findings are kept."""

Outcome = Sequence[Finding | Unchanged]


@dataclass(frozen=True, slots=True)
class Headway:
    """How far the check of a season's matches has come.

    `matches` of `total` were checked, `earlier` of them before it was interrupted; those are only
    compared with their hashes now.
    """

    tournament: str
    number: int
    matches: int
    earlier: int
    total: int


@dataclass(slots=True)
class Report:
    """The extent of the check of a season, and a sentence for every difference that was found.

    `ledger` has the season's counts in the ledger, which has `entries`; `head` is the hash of the
    last one. `earlier` counts the matches that were checked in an earlier run, the last of them at
    `latest`, and that have not changed since. `notes` name the checks that were not possible, and
    why; `remarks` the matches that were not played at once from beginning to end.
    """

    season: Season
    totals: Totals
    ledger: SeasonState
    entries: int
    head: str
    earlier: int
    latest: datetime | None
    differences: list[str]
    notes: list[str]
    remarks: list[str]


@dataclass(slots=True)
class Inspector:
    """Check the matches of seasons, and keep the findings in a checkpoint.

    Without a checkpoint each season's are kept in memory. Without a `pool` of workers all is done
    in this process. `watch` is called after each task. `bundles` has the differences in the files
    of each version that was checked: a version that plays in many seasons is unpacked once.
    """

    checkpoint: Checkpoint | None = None
    pool: WorkerPool | None = None
    watch: Callable[[Headway], None] = lambda _: None
    bundles: dict[int, Sequence[str]] = field(default_factory=dict)

    def findings(self, evidence: Evidence, checkpoint: Checkpoint) -> SeasonFindings:
        """Check every match of a season, unless an earlier finding still holds."""
        findings = checkpoint.season(evidence.place, evidence.terms.digest)
        season = evidence.season
        done, total = 0, evidence.count
        self.watch(Headway(season.tournament, season.number, 0, 0, total))
        for outcome in self._outcomes(evidence, findings):
            findings.confirm(match.key for match in outcome if isinstance(match, Unchanged))
            findings.add([match for match in outcome if isinstance(match, Finding)])
            done += len(outcome)
            self.watch(Headway(season.tournament, season.number, done, findings.earlier, total))
        return findings

    def _outcomes(self, evidence: Evidence, findings: SeasonFindings) -> Iterator[Outcome]:
        """Return the outcome of each task, in no order; tasks are made as workers become free."""
        tasks = evidence.tasks(findings)
        if self.pool is None:
            yield from (task.in_process() for task in tasks)
            return
        with self.pool.queue(evidence.place) as queue:
            pending: set[Future[Outcome]] = set()
            for task in tasks:
                pending.add(queue.submit(task.function, *task.arguments))
                if len(pending) >= self.pool.workers * IN_FLIGHT:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (task.result() for task in done)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (task.result() for task in done)


def verify_season(
    store: Store,
    season: Season,
    inspector: Inspector | None = None,
    reader: LedgerReader | None = None,
) -> Report:
    """Check everything that the store says about a season; the `inspector` has the matches checked.

    The `reader` is of the tournament's ledger; with the same one for all of its seasons, in their
    order, the ledger is read once.
    The points of a running season are not compared: they may be a second old. Raises `Damaged`.
    """
    counts = [str(difference) for difference in store.check_counts(season.id)]
    evidence = Stored(store, season, reader or LedgerReader(season.tournament))
    report = _verified(evidence, inspector or Inspector())
    report.differences += counts
    return report


def verify_file(
    path: Path,
    earlier: Mapping[int, Filed] | None = None,
    head: str | None = None,
    inspector: Inspector | None = None,
) -> Report:
    """Check a season in a file that `arena export` wrote.

    `earlier` are the seasons before it by their numbers, which some formats go by; without them it
    is not checked who met whom. `head` is a saved hash of the ledger's head.
    Raises `BadSeasonFile` and `Damaged`.
    """
    evidence = Filed(path, earlier)
    report = _verified(evidence, inspector or Inspector())
    if head is not None:
        report.differences += of_head(evidence.ledger(), head)
    return report


def verify_ratings(store: Store, tournament: str) -> list[str]:
    """Fold all results of a tournament again and name the ratings that differ."""
    return [str(difference) for difference in store.check_ratings(tournament)]


@contextmanager
def ratings_meanwhile(
    store: Store, tournament: str, inspector: Inspector
) -> Iterator[Callable[[], list[str]]]:
    """Have a worker verify the ratings while seasons are verified; the function waits for it.

    Without workers they are verified when the function is called.
    """
    if inspector.pool is None:
        yield partial(verify_ratings, store, tournament)
        return
    with inspector.pool.queue(f"{tournament}, ratings") as queue:
        yield queue.submit(_of_ratings, store.database.address, tournament).result


def _of_ratings(url: str, tournament: str) -> list[str]:
    return verify_ratings(read_only(url), tournament)


def verify_ledger(
    store: Store, tournament: str, head: str | None = None, reader: LedgerReader | None = None
) -> list[str]:
    """Check a tournament's whole ledger, also against the stored seasons and a saved head.

    The `reader` has read as much of it as was needed for seasons.
    """
    reader = reader or LedgerReader(tournament)
    newest, _ = store.ledger_head(tournament)
    reader.follow(store.ledger_between(tournament, reader.newest + 1, newest))
    others = (entry for _, entry in reader.others)
    differences = [
        *reader.differences(reader.newest),
        *of_seasons(others, store.seasons(tournament)),
    ]
    if head is not None:
        differences += of_head(store.ledger_until(tournament, newest), head)
    return differences


def _verified(evidence: Evidence, inspector: Inspector) -> Report:
    kept = inspector.checkpoint
    with nullcontext(kept) if kept else Checkpoint() as checkpoint:
        return _reported(evidence, inspector, inspector.findings(evidence, checkpoint))


def _reported(evidence: Evidence, inspector: Inspector, findings: SeasonFindings) -> Report:
    season, settings = evidence.season, evidence.settings
    totals = findings.complete()
    games = [*findings.differences()]
    games += [f"{key}: the match is there twice" for key in findings.twice]
    if season.rated != settings.rated:
        games.append(
            f"the season is stored as {_rated(season.rated)}, but its options make it"
            f" {_rated(settings.rated)}"
        )
    games += of_facts(season.settings, settings.freeze())
    ledger = SeasonLedger(evidence, findings)
    if totals.packs and totals.packs == totals.other_packs:
        games.insert(
            0,
            "no pack is the one that the key gives: the season was dealt from another manifest,"
            " public value or seed than these",
        )
    differences = [
        *of_manifest(evidence, ledger),
        *games,
        *evidence.of_bundles(inspector.bundles),
        *of_ledger(evidence, ledger, totals.matches),
        *ledger.times,
        *of_interventions(evidence, ledger),
    ]
    notes = []
    try:
        if evidence.terms.key is not None:
            differences += _of_schedule(evidence, findings, ledger)
        elif season.finished is None:
            notes.append("its seed is still secret, so packs and seats are not checked")
        else:
            differences.append(
                "the season is finished, but its seed is not there, so packs, seats and standings"
                " can't be checked"
            )
    except EarlierMissing as missing:
        numbers = ", ".join(map(str, missing.numbers))
        notes.append(
            "it goes by earlier seasons, so who met whom and the standings are not checked:"
            f" give the files of {'seasons' if len(missing.numbers) > 1 else 'season'} {numbers},"
            " too"
        )
    except (LookupError, TypeError, ValueError) as error:
        if not games:  # else a record that contradicts the rules need not fit the format either
            raise
        differences.append(f"its format can't be followed with these records: {error}")
    return Report(
        season,
        totals,
        ledger.season,
        ledger.entries,
        ledger.head,
        findings.earlier,
        findings.latest,
        differences,
        notes,
        [*ledger.remarks],
    )


def _of_schedule(
    evidence: Evidence, findings: SeasonFindings, ledger: SeasonLedger
) -> Sequence[str]:
    """Follow the season by its format: seats, and in the end the standings."""
    finished = evidence.season.finished is not None
    schedule = evidence.schedule(ledger.course.annulled)
    misplaced = [
        *of_seats(schedule, findings, ledger.course, finished=finished),
        *of_probation(evidence.settings, ledger, findings),
    ]
    if not finished or misplaced:
        return misplaced
    late = (intervention.entrant for intervention in ledger.course.interventions)
    entrants = [*evidence.manifest.entrants, *filter(None, late)]
    listed = [entrant.version for entrant in entrants]
    return [
        *of_standings(schedule, evidence.standings(), listed, with_legs=evidence.keeps_legs),
        *of_panels(schedule, evidence.panels()),
        *of_tally(schedule, evidence.tally()),
    ]


def _rated(rated: bool) -> str:
    return "rated" if rated else "unrated"
