"""Checking what was published of a season: its manifest, its ledger, its public value.

A manifest binds everything that was decided before the first card, and the ledger everything that
happened since. What is kept is compared with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.proof.ledger import Entry
from leaderboard.proof.manifest import BadManifest, Listed, Manifest
from leaderboard.proof.nonces import wrong_nonces
from leaderboard.season_settings import SeasonSettings
from leaderboard.storage.entries import Season
from tournament.proof.evidence import Evidence
from tournament.proof.told import Told

MISSING = "nothing"


def of_manifest(evidence: Evidence, told: Told) -> Iterator[str]:
    """Compare a season's manifest with what is kept of the season, and with its ledger."""
    season, manifest = evidence.season, evidence.manifest
    try:
        data, entrants = manifest.data, manifest.entrants
    except BadManifest as error:
        yield str(error)
        return
    if manifest.sha256 != season.manifest:
        yield (
            f"the manifest was changed: its SHA-256 is {manifest.sha256}, but the season's is kept"
            f" as {season.manifest}"
        )
    for what, said, kept in (
        ("tournament", data.get("tournament"), season.tournament),
        ("season", data.get("season"), season.number),
        ("key", data.get("key"), season.key_from),
        ("rules' version", (data.get("rules") or {}).get("version"), season.rules),
    ):
        if said != kept:
            yield f"the manifest says {what} {said!r}, but the season is kept with {kept!r}"
    yield from _of_settings(data.get("settings"), season.settings.data())
    if evidence.listed() is not None:
        late = [each.entrant for each in told.course.interventions if each.entrant is not None]
        yield from _of_line_up([*_moved([*entrants, *late], told)], evidence.listed() or ())
    yield from _of_seed(data.get("seed") or {}, evidence.season, told)
    yield from _of_beginning(manifest, told)


def _moved(entrants: Sequence[Listed], told: Told) -> Iterator[Listed]:
    """The entrants under the names to which their bots were moved since the season began."""
    begun = next((entry["number"] for entry in told.of_kinds("begin")), 0)
    moves = [e for e in told.others if e.kind == "move" and e["number"] > begun]
    for each in entrants:
        now = each
        for move in moves:
            if move["bot"] == now.bot:
                now = replace(now, bot=str(move["to_bot"]), author=str(move["to_author"]))
        yield now


def _of_settings(said: object, kept: Mapping[str, Any]) -> Iterator[str]:
    """Name every setting that was changed since the season began."""
    ours, theirs = dict(_leaves(kept)), dict(_leaves(said))
    for name in sorted({*ours, *theirs}):
        stored, right = ours.get(name, MISSING), theirs.get(name, MISSING)
        if stored != right:
            yield (
                f"the setting {name} was changed: it is stored as {stored}, but the manifest says"
                f" {right}"
            )


def of_facts(stored: SeasonSettings, right: SeasonSettings) -> Iterator[str]:
    """Name every fact that does not follow from the settings."""
    for name, value in right.facts:
        if getattr(stored.facts, name) != value:
            yield (
                f"the fact {name} does not follow from the settings: it is stored as"
                f" {getattr(stored.facts, name)}, but they give {value}"
            )


def _leaves(data: object, name: str = "") -> Iterator[tuple[str, object]]:
    """The single settings in nested ones, by dotted names."""
    if isinstance(data, Mapping) and data:
        for key, value in data.items():
            yield from _leaves(value, f"{name}.{key}" if name else str(key))
    else:
        yield name, data


def _of_line_up(said: Sequence[Listed], kept: Sequence[Listed]) -> Iterator[str]:
    """Compare the stored line-up with the manifest's, entrant by entrant."""
    ours, theirs = ({each.version: each for each in side} for side in (kept, said))
    for version in sorted({*ours, *theirs}):
        stored, right = ours.get(version), theirs.get(version)
        if stored is None or right is None:
            there, gone = ("the manifest", "stored") if right else ("the store", "published")
            label = (right or stored or said[0]).label
            yield f"{label} is in the line-up of {there}, but not in the {gone} one"
            continue
        if bool(stored.sits_out) != bool(right.sits_out):
            now, then = ("sitting out", "plays") if stored.sits_out else ("playing", "sits out")
            yield f"{right.label} is stored as {now}, but by the manifest it {then}"
        for what, mine, its in (
            ("bot", stored.bot, right.bot),
            ("version's number", stored.number, right.number),
            ("author", stored.author, right.author),
            ("bundle", stored.digest, right.digest),
            ("time of submission", stored.submitted, right.submitted),
        ):
            if mine != its:
                yield (
                    f"{right.label} was swapped: its {what} is stored as {mine}, but the manifest"
                    f" says {its}"
                )
    if [each.version for each in kept] != [each.version for each in said] and {*ours} == {*theirs}:
        yield "the line-up is stored in another order than the manifest's"


def _of_seed(said: Mapping[str, Any], season: Season, told: Told) -> Iterator[str]:
    if season.seed and season.commitment != said.get("sha256"):
        yield (
            f"the seed is another one: its SHA-256 is {season.commitment}, but the manifest says"
            f" {said.get('sha256')}"
        )
    if said.get("source") != "made":
        return
    announced = None
    for entry in told.of_kinds("announce", "begin"):
        if entry.kind == "begin":
            break
        announced = entry
    if announced is None or announced["sha256"] != said.get("sha256"):
        was = "none was" if announced is None else f"the one announced has {announced['sha256']}"
        yield (
            f"the seed is not the one that was announced before entries closed: its SHA-256 is"
            f" {said.get('sha256')}, but {was}"
        )


def _of_beginning(manifest: Manifest, told: Told) -> Iterator[str]:
    """Compare the manifest with the ledger's entry about the season's beginning."""
    begun = told.of_kinds("begin")
    if len(begun) != 1:
        yield (
            f"the ledger tells {len(begun)} times that the season began, and not once"
            if begun
            else "the ledger does not tell that the season began"
        )
    for entry in begun:
        if entry["sha256"] != manifest.sha256:
            yield (
                "the manifest was changed after the season had begun: its SHA-256 is"
                f" {manifest.sha256}, but the ledger's entry {entry['number']} says"
                f" {entry['sha256']}"
            )
        if entry["previous"] != manifest.data.get("previous"):
            yield (
                "what happened before the season was rewritten: its manifest follows a ledger that"
                f" ended with {manifest.data.get('previous')}, but this one ended with"
                f" {entry['previous']}"
            )


def of_ledger(evidence: Evidence, told: Told, matches: int) -> Iterator[str]:
    """Compare the ledger with the matches, with the public value, and with the standings."""
    yield from told.differences
    yield from _of_value(evidence.season, told)
    yield from _of_end(evidence, told, matches)


def _of_value(season: Season, told: Told) -> Iterator[str]:
    values = [entry["value"] for entry in told.of_kinds("value")]
    if season.value_from is None:
        if season.public_value is not None or values:
            yield "the season has a public value, but its manifest wants none"
    elif values != ([] if season.public_value is None else [season.public_value]):
        yield (
            f"the public value is kept as {season.public_value}, but the ledger says"
            f" {' and '.join(map(str, values)) or MISSING}"
        )
    if season.value_from is not None and not values and told.season.attempts:
        yield "the season was played before its public value was told"
    if season.value_from is not None and season.value_from.get("source") == "nonces":
        yield from wrong_nonces(season.value_from, told.others, season.number)
    elif told.of_kinds("nonce") or told.of_kinds("unshown"):
        yield "the ledger tells of nonces, but the season's manifest wants none"


def _of_end(evidence: Evidence, told: Told, matches: int) -> Iterator[str]:
    season = evidence.season
    ends = told.of_kinds("finish")
    if bool(ends) != (season.finished is not None):
        yield (
            "the season is kept as finished, but the ledger does not tell so"
            if season.finished
            else "the ledger tells that the season was finished, but it is kept as running"
        )
    for entry in ends:
        if entry["matches"] != matches:
            yield (
                f"the ledger tells that the season had {entry['matches']} matches, but there are"
                f" {matches}"
            )
    anew = [entry for entry in told.of_kinds("annul") if entry["standings"] is not None]
    for entry, of in [
        *((each, "sha256") for each in ends),
        *((each, "standings") for each in anew),
    ][-1:]:
        if entry[of] != evidence.standings_hash():
            yield (
                f"the standings were changed: the ledger's entry {entry['number']} has another"
                " SHA-256 of them"
            )


def of_head(ledger: Iterable[Entry], head: str) -> Iterator[str]:
    """Look for the hash that somebody has saved among a ledger's entries."""
    entries = 0
    for entry in ledger:
        if entry.sha256 == head:
            return
        entries += 1
    yield (
        f"the ledger was rewritten: none of its {entries} entries has the SHA-256 {head},"
        " which was saved as its head"
    )


def of_seasons(ledger: Iterable[Entry], stored: Sequence[Season]) -> Iterator[str]:
    """Compare the seasons that a whole ledger tells of with those that are stored."""
    numbers = {season.number for season in stored}
    told = {entry.season for entry in ledger if entry.kind == "begin"}
    for number in sorted(n for n in told - numbers if isinstance(n, int)):
        yield f"season {number} was left out: the ledger tells that it began, but it is not stored"
    for number in sorted(numbers - told):
        yield f"season {number} was put in: the ledger does not tell that it began"
