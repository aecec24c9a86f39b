"""Checking what was done to a season: the ledger tells of it, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from leaderboard.proof.interventions import Intervention
from leaderboard.statistics.probation import failing, later
from tournament.proof.evidence import Evidence
from tournament.proof.findings import Sittings
from tournament.proof.told import Told
from tournament.settings import Settings


def of_interventions(evidence: Evidence, told: Told) -> Iterator[str]:
    """Compare the interventions that are kept with those that the ledger tells of."""
    yield from _of_places(evidence, told)
    kept = evidence.course()
    if kept is None:
        return
    pairs = zip_longest(kept.interventions, told.course.interventions)
    for number, (stored, right) in enumerate(pairs, start=1):
        if stored is None or right is None:
            where = (
                "in the ledger, but it is not stored" if right else "stored, but not in the ledger"
            )
            yield f"intervention {number} is {where}"
        elif _said(stored) != _said(right):
            yield (
                f"intervention {number} was changed: it is stored as {_said(stored)}, but the"
                f" ledger's entry {right.entry} says {_said(right)}"
            )
    for number, (stored_before, before) in enumerate(
        zip(kept.before, told.course.before, strict=False), start=1
    ):
        if {*stored_before} != {*before}:
            yield f"intervention {number} is stored at another point than the ledger's"
    marked, annulled = {*(evidence.annulled() or ())}, told.course.annulled
    for key in sorted(marked ^ annulled):
        yield (
            f"{key}: the match is kept as annulled, but the ledger does not tell so"
            if key in marked
            else f"{key}: the match was annulled, but it is kept as one that counts"
        )
    if evidence.season.annulled != any(each.ends for each in told.course.interventions):
        yield (
            "the season is kept as annulled, but the ledger does not tell so"
            if evidence.season.annulled
            else "the season was annulled, but it is kept as one that counts"
        )


def _said(what: Intervention) -> tuple[object, ...]:
    """What an intervention came to, as far as the ledger says."""
    return (
        *(what.number, what.entry, what.kind, what.reason, what.version, what.key),
        what.entrant,
    )


def _of_places(evidence: Evidence, told: Told) -> Iterator[str]:
    """Find interventions about bots that weren't in the line-up, or matches that weren't played.

    The grammar of ledgers has found the others that can't have been made where they stand.
    """
    playing = {each.version for each in evidence.manifest.entrants}
    played = set[str]()
    for what, keys in zip(told.course.interventions, told.course.before, strict=True):
        where = f"the ledger's entry {what.entry}"
        played.update(keys)
        if what.kind == "annul" and what.key is not None and what.key not in played:
            yield f"{where} annuls {what.key}, which had not been played"
        if what.entrant is not None:
            if what.version in playing:
                yield f"{where} admits version {what.version}, which was in the line-up"
            playing.add(what.entrant.version)
        elif what.version is not None and what.version not in playing:
            yield f"{where} concerns version {what.version}, which was not in the line-up"


def of_probation(settings: Settings[Any], told: Told, sittings: Sittings) -> Iterator[str]:
    """Work out again which bots had to be put on probation, and after which match."""
    lately: dict[int, str] = {}
    due: list[tuple[int, str]] = []
    gone: set[int] = set()
    course = told.course
    for keys, what in zip_longest([*course.before, told.rest], course.interventions):
        for key in keys:
            yield from _missed(due)
            due = []
            sitting = sittings.seated(key) if settings.probation else None
            if sitting is None:
                continue
            for version, answers in zip(sitting.result.versions, sitting.answers, strict=True):
                lately[version] = later(lately.get(version, ""), answers)
                reason = failing(lately[version])
                if reason and version not in gone:
                    due.append((version, reason))
        if what is None:
            break
        if what.kind == "probation":
            if due[:1] != [(what.version, what.reason)]:
                yield (
                    f"version {what.version} was put on probation by the ledger's entry"
                    f" {what.entry}, but by its answers it had not to be"
                )
            due = due[1:]
        else:
            yield from _missed(due)
            due = []
        if what.leaves and what.version is not None:
            gone.add(what.version)
        annulled = sittings.seated(what.key) if what.key is not None else None
        for version in annulled.result.versions if annulled else ():
            lately[version] = ""
    yield from _missed(due)


def _missed(due: list[tuple[int, str]]) -> Iterator[str]:
    for version, reason in due:
        yield f"version {version} had to be put on probation, but was not: {reason}"
