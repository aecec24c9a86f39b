"""Check a season against its ledger and its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from card_arena.formats.field import Listed, Placing
from card_arena.formats.interventions import KINDS as INTERVENTIONS
from card_arena.formats.interventions import Intervention
from card_arena.formats.schedule import Schedule
from card_arena.ratings.probation import failing, later
from card_arena.results.entries import Season
from card_arena.results.proof.grammar import SeasonState
from card_arena.results.proof.ledger import Entry, wrong_nonces
from card_arena.results.proof.manifest import BadManifest, Manifest
from card_arena.results.season_settings import SeasonSettings
from card_arena.tournament.play.schedules import Course
from card_arena.tournament.settings import Settings
from card_arena.verify.evidence import Evidence, moment
from card_arena.verify.findings import SeasonFindings
from card_arena.verify.seats import of_times


class SeasonLedger:
    """The entries of a ledger up to the end of a season, or until now.

    `others` are the entries of all seasons but the numerous kinds; `entries` counts them all, and
    `head` is the hash of the last one. `course` has the season's interventions, and `rest` the keys
    of its matches after them, in playing order. `differences` name breaks of the ledger's chain and
    grammar, and contradictions to the season's matches; `times` contradictions to their times.
    """

    def __init__(self, evidence: Evidence, findings: SeasonFindings) -> None:
        reader, until = evidence.ledger_read()
        self.others = [entry for number, entry in reader.others if number <= until]
        self.entries, self.head = reader.head_at(until)
        self._number = evidence.season.number
        self._findings = findings
        self._keys: set[str] = set()
        self._changed: dict[str, str] = {}
        self._interventions: list[Intervention] = []
        self._parts: list[Sequence[str]] = []
        self._grammar = reader.grammar
        self._began: datetime | None = None
        self._without_sandbox: set[tuple[str, int]] = set()
        self.rest: list[str] = []
        self.times: list[str] = []
        first, last = reader.span(self._number)
        for number, entry in evidence.entries(first, min(last, until)):
            if entry.season == self._number and number not in reader.bad:
                self._keep(entry)
        self.course = Course(self._interventions, self._parts)
        self.differences = [*reader.differences(until), *self._of_matches()]

    @property
    def season(self) -> SeasonState:
        """The counts of the season in the ledger."""
        return self._grammar.seasons.get(self._number) or SeasonState(self._number)

    @property
    def remarks(self) -> Iterator[str]:
        """Name the matches that were attempted more than once or not played to their end, and
        earlier seasons that weren't finished.
        """
        season = self.season
        for key, tries in sorted(season.again.items()):
            lost = tries.attempts - tries.void - 1
            yield f"{key} was attempted {tries.attempts} times: {_ends(tries.void, lost)}"
        for key, tries in sorted(season.tries.items()):
            open_now = key in season.open
            if open_now and tries.attempts == 1:
                continue
            lost = tries.attempts - tries.void - open_now
            again = ", and is under way again" if open_now else " and never finished"
            yield f"{key} was begun {_times(tries.attempts)}{again}: {_ends(tries.void, lost)}"
        for number, other in sorted(self._grammar.seasons.items()):
            if other.phase == "left" and number < self._number:
                yield f"season {number} was begun and never finished"

    def of_kinds(self, *kinds: str) -> Sequence[Entry]:
        """Return the entries of these kinds about the season."""
        return [
            entry for entry in self.others if entry.season == self._number and entry.kind in kinds
        ]

    def _keep(self, entry: Entry) -> None:
        if entry.kind == "begin":
            self._began = moment(entry)
        elif entry.kind == "match":
            self._compare(entry)
        elif entry.kind == "no sandbox":
            self._without_sandbox.add((entry["key"] or "", entry["version"]))
        elif entry.kind in INTERVENTIONS:
            self._interventions.append(Intervention.from_entry(entry.data))
            self._parts.append(self.rest)
            self.rest = []

    def _compare(self, entry: Entry) -> None:
        key = str(entry["key"])
        self.rest.append(key)
        self._keys.add(key)
        self._changed.pop(key, None)
        line, sitting = self._findings.line(key), self._findings.seated(key)
        if sitting is not None:
            self.times += of_times(sitting, self._began, moment(entry))
        if line is None:
            self._changed[key] = (
                f"{key}: the match was dropped: the ledger's entry {entry['number']} tells that it"
                " was played"
            )
        elif line != entry["sha256"]:
            self._changed[key] = (
                f"{key}: the match was changed: its SHA-256 is {line}, but the ledger's entry"
                f" {entry['number']} says {entry['sha256']}"
            )
        elif sitting is not None and [*sitting.result.versions] != entry["entrants"]:
            self._changed[key] = (
                f"{key}: versions {sitting.result.versions} played, but the ledger's entry"
                f" {entry['number']} says {entry['entrants']}"
            )
        elif sitting is not None:
            for entrant, alone in sitting.without_sandbox:
                version = sitting.result.versions[entrant]
                if ("" if alone else key, version) not in self._without_sandbox:
                    self._changed[key] = (
                        f"{key}: version {version} is said to have got no sandbox, but the ledger"
                        " does not tell why"
                    )

    def _of_matches(self) -> Iterator[str]:
        for key, _ in self._findings.lines():
            if key not in self._keys:
                self._changed[key] = (
                    f"{key}: the match was put in: the ledger does not tell that it was played"
                )
        for key in sorted(self._changed):
            yield self._changed[key]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _ends(void: int, lost: int) -> str:
    return f"{void} void, {lost} interrupted"


def of_standings(
    schedule: Schedule,
    stored: Sequence[Placing],
    listed: Sequence[int],
    *,
    with_legs: bool,
) -> Iterator[str]:
    """Compare the stored placings, the best first, with those of the format.

    `listed` are the versions of the line-up, late ones last: equals stand in this order. The
    results of legs are stored `with_legs` in a database, and not in a file.
    """
    compared = {"points": "points", "rank": "rank", "tie-breaks": "tie_breaks"}
    if with_legs:
        compared["legs"] = "legs"
    derived = {placing.version: placing for placing in schedule.standings}
    recorded = {placing.version: placing for placing in stored}
    places = {version: place for place, version in enumerate(dict.fromkeys(listed))}
    order = sorted(
        recorded.values(),
        key=lambda placing: (placing.rank, places.get(placing.version, placing.version)),
    )
    if len(stored) != len(recorded):
        yield "the standings name a version twice"
    elif [*stored] != order:
        yield "the standings are not in order: the best first, and equals as in the manifest"
    for version in sorted({*recorded, *derived}):
        ours, theirs = recorded.get(version), derived.get(version)
        for what, of in compared.items():
            value, right = getattr(ours, of, None), getattr(theirs, of, None)
            if value != right:
                verb = "is" if what == "rank" else "are"
                yield (
                    f"the {what} of version {version} {verb} stored as {value}, but {verb} {right}"
                )


def of_panels(schedule: Schedule, stored: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Compare the stored panels with those that the format draws."""
    derived = [panel.to_data() for panel in schedule.panels]
    for number, (recorded, right) in enumerate(zip_longest(stored, derived), start=1):
        if recorded != right:
            kind = (right or recorded)["kind"]
            yield f"picture {number} of the season, a {kind}, is stored with other figures"


def of_tally(schedule: Schedule, recorded: Sequence[Any] | None) -> Iterator[str]:
    """Compare the tally stored for the next season with the boards of this and earlier seasons."""
    tally = schedule.tally
    if tally is not None and recorded is not None and recorded != tally.to_data():
        yield "the boards that the next season goes on from are not those that were played"


def of_interventions(evidence: Evidence, ledger: SeasonLedger) -> Iterator[str]:
    """Compare the stored interventions with those in the ledger."""
    yield from _of_places(evidence, ledger)
    recorded = evidence.course()
    if recorded is None:
        return
    pairs = zip_longest(recorded.interventions, ledger.course.interventions)
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
        zip(recorded.before, ledger.course.before, strict=False), start=1
    ):
        if {*stored_before} != {*before}:
            yield f"intervention {number} is stored at another point than the ledger's"
    marked, annulled = {*(evidence.annulled() or ())}, ledger.course.annulled
    for key in sorted(marked ^ annulled):
        yield (
            f"{key}: the match is kept as annulled, but the ledger does not tell so"
            if key in marked
            else f"{key}: the match was annulled, but it is kept as one that counts"
        )
    if evidence.season.annulled != any(
        intervention.ends for intervention in ledger.course.interventions
    ):
        yield (
            "the season is kept as annulled, but the ledger does not tell so"
            if evidence.season.annulled
            else "the season was annulled, but it is kept as one that counts"
        )


def _said(what: Intervention) -> tuple[object, ...]:
    """Return the facts of an intervention that the ledger has."""
    return (
        *(what.number, what.entry, what.kind, what.reason, what.version, what.key),
        what.entrant,
    )


def _of_places(evidence: Evidence, ledger: SeasonLedger) -> Iterator[str]:
    """Find interventions about bots that weren't in the line-up, or matches that weren't played.

    The grammar of ledgers has found the others that can't have been made where they stand.
    """
    playing = {entrant.version for entrant in evidence.manifest.entrants}
    played = set[str]()
    for what, keys in zip(ledger.course.interventions, ledger.course.before, strict=True):
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


def of_probation(
    settings: Settings[Any], ledger: SeasonLedger, findings: SeasonFindings
) -> Iterator[str]:
    """Derive again which bots had to be put on probation, and after which match."""
    lately: dict[int, str] = {}
    due: list[tuple[int, str]] = []
    gone: set[int] = set()
    course = ledger.course
    for keys, what in zip_longest([*course.before, ledger.rest], course.interventions):
        for key in keys:
            yield from _missed(due)
            due = []
            sitting = findings.seated(key) if settings.probation else None
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
        annulled = findings.seated(what.key) if what.key is not None else None
        for version in annulled.result.versions if annulled else ():
            lately[version] = ""
    yield from _missed(due)


def _missed(due: list[tuple[int, str]]) -> Iterator[str]:
    for version, reason in due:
        yield f"version {version} had to be put on probation, but was not: {reason}"


# The manifest, the ledger and the public value: a manifest has all decisions before the first card,
# the ledger all later events. The stored season is compared with both.


MISSING = "nothing"


def of_manifest(evidence: Evidence, ledger: SeasonLedger) -> Iterator[str]:
    """Compare a season's manifest with the stored season, and with its ledger."""
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
    for what, published, stored in (
        ("tournament", data.get("tournament"), season.tournament),
        ("season", data.get("season"), season.number),
        ("key", data.get("key"), season.key_from),
        ("rules' version", (data.get("rules") or {}).get("version"), season.rules),
    ):
        if published != stored:
            yield f"the manifest says {what} {published!r}, but the season is kept with {stored!r}"
    yield from _of_settings(data.get("settings"), season.settings.data())
    if evidence.listed() is not None:
        late = [
            intervention.entrant
            for intervention in ledger.course.interventions
            if intervention.entrant is not None
        ]
        yield from _of_line_up([*_moved([*entrants, *late], ledger)], evidence.listed() or ())
    yield from _of_seed(data.get("seed") or {}, evidence.season, ledger)
    yield from _of_beginning(manifest, ledger)


def _moved(entrants: Sequence[Listed], ledger: SeasonLedger) -> Iterator[Listed]:
    """The entrants under the names to which their bots were moved since the season began."""
    begun = next((entry["number"] for entry in ledger.of_kinds("begin")), 0)
    moves = [e for e in ledger.others if e.kind == "move" and e["number"] > begun]
    for entrant in entrants:
        now = entrant
        for move in moves:
            if move["bot"] == now.bot:
                now = replace(now, bot=str(move["to_bot"]), author=str(move["to_author"]))
        yield now


def _of_settings(published: object, recorded: Mapping[str, Any]) -> Iterator[str]:
    """Name every setting that was changed since the season began."""
    ours, theirs = dict(_leaves(recorded)), dict(_leaves(published))
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


def _of_line_up(published: Sequence[Listed], stored_line_up: Sequence[Listed]) -> Iterator[str]:
    """Compare the stored line-up with the manifest's, entrant by entrant."""
    ours, theirs = (
        {entrant.version: entrant for entrant in side} for side in (stored_line_up, published)
    )
    for version in sorted({*ours, *theirs}):
        stored, right = ours.get(version), theirs.get(version)
        if stored is None or right is None:
            place, gone = ("the manifest", "stored") if right else ("the store", "published")
            label = (right or stored or published[0]).label
            yield f"{label} is in the line-up of {place}, but not in the {gone} one"
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
    if [entrant.version for entrant in stored_line_up] != [
        entrant.version for entrant in published
    ] and {*ours} == {*theirs}:
        yield "the line-up is stored in another order than the manifest's"


def _of_seed(published: Mapping[str, Any], season: Season, ledger: SeasonLedger) -> Iterator[str]:
    if season.seed and season.commitment != published.get("sha256"):
        yield (
            f"the seed is another one: its SHA-256 is {season.commitment}, but the manifest says"
            f" {published.get('sha256')}"
        )
    if published.get("source") != "made":
        return
    announced = None
    for entry in ledger.of_kinds("announce", "begin"):
        if entry.kind == "begin":
            break
        announced = entry
    if announced is None or announced["sha256"] != published.get("sha256"):
        was = "none was" if announced is None else f"the one announced has {announced['sha256']}"
        yield (
            f"the seed is not the one that was announced before entries closed: its SHA-256 is"
            f" {published.get('sha256')}, but {was}"
        )


def _of_beginning(manifest: Manifest, ledger: SeasonLedger) -> Iterator[str]:
    """Compare the manifest with the ledger's entry about the season's beginning."""
    begun = ledger.of_kinds("begin")
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


def of_ledger(evidence: Evidence, ledger: SeasonLedger, matches: int) -> Iterator[str]:
    """Compare the ledger with the matches, with the public value, and with the standings."""
    yield from ledger.differences
    yield from _of_value(evidence.season, ledger)
    yield from _of_end(evidence, ledger, matches)


def _of_value(season: Season, ledger: SeasonLedger) -> Iterator[str]:
    values = [entry["value"] for entry in ledger.of_kinds("value")]
    if season.value_from is None:
        if season.public_value is not None or values:
            yield "the season has a public value, but its manifest wants none"
    elif values != ([] if season.public_value is None else [season.public_value]):
        yield (
            f"the public value is kept as {season.public_value}, but the ledger says"
            f" {' and '.join(map(str, values)) or MISSING}"
        )
    if season.value_from is not None and not values and ledger.season.attempts:
        yield "the season was played before its public value was told"
    if season.value_from is not None and season.value_from.get("source") == "nonces":
        yield from wrong_nonces(season.value_from, ledger.others, season.number)
    elif ledger.of_kinds("nonce") or ledger.of_kinds("unshown"):
        yield "the ledger tells of nonces, but the season's manifest wants none"


def _of_end(evidence: Evidence, ledger: SeasonLedger, matches: int) -> Iterator[str]:
    season = evidence.season
    ends = ledger.of_kinds("finish")
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
    annulments = [entry for entry in ledger.of_kinds("annul") if entry["standings"] is not None]
    for entry, of in [
        *((end, "sha256") for end in ends),
        *((entry, "standings") for entry in annulments),
    ][-1:]:
        if entry[of] != evidence.standings_hash():
            yield (
                f"the standings were changed: the ledger's entry {entry['number']} has another"
                " SHA-256 of them"
            )


def of_head(ledger_entries: Iterable[Entry], head: str) -> Iterator[str]:
    """Look for a saved hash among a ledger's entries."""
    entries = 0
    for entry in ledger_entries:
        if entry.sha256 == head:
            return
        entries += 1
    yield (
        f"the ledger was rewritten: none of its {entries} entries has the SHA-256 {head},"
        " which was saved as its head"
    )


def of_seasons(entries: Iterable[Entry], stored: Sequence[Season]) -> Iterator[str]:
    """Compare the seasons in a whole ledger with those that are stored."""
    numbers = {season.number for season in stored}
    begun = {entry.season for entry in entries if entry.kind == "begin"}
    for number in sorted(n for n in begun - numbers if isinstance(n, int)):
        yield f"season {number} was left out: the ledger tells that it began, but it is not stored"
    for number in sorted(numbers - begun):
        yield f"season {number} was put in: the ledger does not tell that it began"
