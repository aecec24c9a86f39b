"""Checking a season from its seed: every pack, every action, every score, point and rating.

What is kept is the records, the seed, the manifest and the ledger. Everything else follows from
them by published rules, so it is recomputed here and compared. `tournament/proof/` has a file for
each thing that is checked; a season comes from the database or from a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from common.canonical_json import sha256
from leaderboard.proof.ledger import broken_links
from leaderboard.proof.season_file import head_of
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from tournament.proof.evidence import EarlierMissing, Evidence, Stored
from tournament.proof.from_file import Filed
from tournament.proof.games import of_records
from tournament.proof.outcome import of_panels, of_standings, of_tally
from tournament.proof.publication import of_head, of_ledger, of_manifest, of_seasons
from tournament.proof.report import Report
from tournament.proof.seats import Seated, of_seats, seated

__all__ = ["Report", "verify_file", "verify_ledger", "verify_ratings", "verify_season"]

Watch = Callable[[Report], None]


def verify_season(store: Store, season: Season, watch: Watch = lambda _: None) -> Report:
    """Check everything that the store says about a season; `watch` gets the report match by match.

    The points of a running season are not compared: they may be a second old. Raises `Damaged`.
    """
    counts = [str(each) for each in store.check_counts(season.id)]
    report = _verified(Stored(store, season), watch)
    report.differences += counts
    return report


def verify_file(
    path: Path,
    earlier: Mapping[int, Filed] | None = None,
    head: str | None = None,
    watch: Watch = lambda _: None,
) -> Report:
    """Check a season in a file that `arena export` wrote.

    `earlier` are the seasons before it by their numbers, which some formats go by; without them it
    is not checked who met whom. `head` is a hash that somebody has saved as the ledger's head.
    Raises `BadSeasonFile` and `Damaged`.
    """
    evidence = Filed(path, earlier)
    report = _verified(evidence, watch)
    if head is not None:
        report.differences += of_head(evidence.ledger, head)
    return report


def verify_ratings(store: Store, tournament: str) -> list[str]:
    """Fold all results of a tournament again and name the ratings that differ."""
    return [str(difference) for difference in store.check_ratings(tournament)]


def verify_ledger(store: Store, tournament: str, head: str | None = None) -> list[str]:
    """Check a tournament's whole ledger, also against the stored seasons and a saved head."""
    ledger = store.ledger(tournament)
    found = [*broken_links(ledger), *of_seasons(ledger, store.seasons(tournament))]
    return found if head is None else [*found, *of_head(ledger, head)]


def _verified(evidence: Evidence, watch: Watch) -> Report:
    season = evidence.season
    report = Report(season)
    settings = evidence.settings
    published = [*of_manifest(evidence)]
    key = season.key if season.seed and not season.awaits_value else None
    played: dict[str, Seated] = {}
    lines: dict[str, str] = {}
    games: list[str] = []
    for match in evidence.matches():
        report.matches += 1
        lines[match.key] = sha256(match.line)
        games += map(str, match.differences)
        if match.derived is not None:
            games += of_records(match, settings, key, report)
        if sitting := seated(match):
            played[match.key] = sitting
        watch(report)
    if season.rated != settings.rated:
        games.append(
            f"the season is stored as {_rated(season.rated)}, but its options make it"
            f" {_rated(settings.rated)}"
        )
    told = [*of_ledger(evidence, lines)]
    if season.manifest is not None:
        report.entries, report.head = len(evidence.ledger), head_of(evidence.ledger)
    if report.packs and report.packs == report.other_packs:
        games.insert(
            0,
            "no pack is the one that the key gives: the season was dealt from another manifest,"
            " public value or seed than these",
        )
    report.differences += [*published, *games, *evidence.of_bundles(), *told]
    if key is None:
        report.notes.append("its seed is still secret, so packs and seats are not checked")
        return report
    try:
        report.differences += _of_schedule(evidence, played)
    except EarlierMissing as missing:
        numbers = ", ".join(map(str, missing.numbers))
        report.notes.append(
            "it goes by earlier seasons, so who met whom and the standings are not checked:"
            f" give the files of {'seasons' if len(missing.numbers) > 1 else 'season'} {numbers},"
            " too"
        )
    except (LookupError, TypeError, ValueError) as error:
        if not games:  # else a record that contradicts the rules need not fit the format either
            raise
        report.differences.append(f"its format can't be followed with these records: {error}")
    return report


def _of_schedule(evidence: Evidence, played: Mapping[str, Seated]) -> Sequence[str]:
    """Follow the season by its format: seats, and in the end the standings."""
    finished = evidence.season.finished is not None
    schedule = evidence.schedule()
    misplaced = [*of_seats(schedule, played, finished=finished)]
    if not finished or misplaced:
        return misplaced
    return [
        *of_standings(schedule, evidence.standings(), with_legs=evidence.keeps_legs),
        *of_panels(schedule, evidence.panels()),
        *of_tally(schedule, evidence.tally()),
    ]


def _rated(rated: bool) -> str:
    return "rated" if rated else "unrated"
