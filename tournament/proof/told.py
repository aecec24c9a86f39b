"""What a ledger tells of a season, compared with the matches that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from leaderboard.proof.grammar import SeasonTold
from leaderboard.proof.interventions import KINDS as INTERVENTIONS
from leaderboard.proof.interventions import Intervention
from leaderboard.proof.ledger import Entry
from leaderboard.storage.checkpoint import SeasonFindings
from tournament.play.schedules import Course
from tournament.proof.evidence import Evidence
from tournament.proof.findings import Sittings
from tournament.proof.times import moment, of_times


class Told:
    """What a ledger tells up to the end of a season, or until now.

    `others` are the entries of all seasons but those of which there are many; `entries` counts them
    all, and `head` is the hash of the last one. `course` is what was done to the season, and `rest`
    are the keys of its matches after that, in the order in which they were played. `differences`
    say where the ledger is no chain or breaks its grammar, and where it contradicts the matches of
    the season; `times` where it contradicts their times.
    """

    def __init__(self, evidence: Evidence, findings: SeasonFindings) -> None:
        reader, until = evidence.ledger_read()
        self.others = [entry for number, entry in reader.others if number <= until]
        self.entries, self.head = reader.head_at(until)
        self._number = evidence.season.number
        self._findings = findings
        self._sittings = Sittings(findings)
        self._told: set[str] = set()
        self._changed: dict[str, str] = {}
        self._interventions: list[Intervention] = []
        self._parts: list[Sequence[str]] = []
        self._grammar = reader.grammar
        self._began: datetime | None = None
        self.rest: list[str] = []
        self.times: list[str] = []
        first, last = reader.span(self._number)
        for number, entry in evidence.entries(first, min(last, until)):
            if entry.season == self._number and number not in reader.bad:
                self._keep(entry)
        self.course = Course(self._interventions, self._parts)
        self.differences = [*reader.differences(until), *self._of_matches()]

    @property
    def season(self) -> SeasonTold:
        """What the ledger tells of the season, in numbers."""
        return self._grammar.seasons.get(self._number) or SeasonTold(self._number)

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
        """The kept entries about the season of these kinds."""
        return [
            entry for entry in self.others if entry.season == self._number and entry.kind in kinds
        ]

    def _keep(self, entry: Entry) -> None:
        if entry.kind == "begin":
            self._began = moment(entry)
        elif entry.kind == "match":
            self._compare(entry)
        elif entry.kind in INTERVENTIONS:
            self._interventions.append(Intervention.told(entry.data))
            self._parts.append(self.rest)
            self.rest = []

    def _compare(self, entry: Entry) -> None:
        key = str(entry["key"])
        self.rest.append(key)
        self._told.add(key)
        self._changed.pop(key, None)
        line, sitting = self._findings.line(key), self._sittings.seated(key)
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

    def _of_matches(self) -> Iterator[str]:
        for key, _ in self._findings.lines():
            if key not in self._told:
                self._changed[key] = (
                    f"{key}: the match was put in: the ledger does not tell that it was played"
                )
        for key in sorted(self._changed):
            yield self._changed[key]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _ends(void: int, lost: int) -> str:
    """Say how attempts ended that gave no result."""
    return f"{void} void, {lost} interrupted"
