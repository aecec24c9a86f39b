"""What a ledger tells, compared with the matches that are kept: it is read once, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from leaderboard.proof.interventions import KINDS as INTERVENTIONS
from leaderboard.proof.interventions import Intervention
from leaderboard.proof.ledger import FIRST, Entry, broken_links
from leaderboard.storage.checkpoint import SeasonFindings
from tournament.play.schedules import Course


class Told:
    """A ledger as far as it was read, which is to its end.

    `others` are the entries that tell of no match, of all seasons; `entries` counts them all, and
    `head` is the hash of the last one. `course` is what was done to the season, and `rest` are the
    keys of its matches after that, in the order in which they were played. `differences` say where
    it is no chain, and where it contradicts the matches of the season with this number.
    """

    def __init__(self, ledger: Iterable[Entry], season: int, findings: SeasonFindings) -> None:
        self.others: list[Entry] = []
        self.entries = 0
        self.head = FIRST
        self._season = season
        self._findings = findings
        self._told: set[str] = set()
        self._twice: list[str] = []
        self._changed: dict[str, str] = {}
        self._interventions: list[Intervention] = []
        self._parts: list[Sequence[str]] = []
        self._unreadable: list[str] = []
        self.rest: list[str] = []
        noted = self._noted(ledger)
        links = [*broken_links(noted)]
        for _ in noted:  # a broken chain is not followed to its end
            pass
        self.course = Course(self._interventions, self._parts)
        self.differences = [
            *links,
            *self._of_numbers(),
            *self._twice,
            *self._of_matches(),
            *self._unreadable,
        ]

    def of_kinds(self, *kinds: str) -> Sequence[Entry]:
        """The entries about the season that tell of something else than matches."""
        return [
            entry for entry in self.others if entry.season == self._season and entry.kind in kinds
        ]

    def _noted(self, ledger: Iterable[Entry]) -> Iterator[Entry]:
        """Pass all entries on, and note of each what is needed later."""
        for entry in ledger:
            self.entries += 1
            self.head = entry.sha256
            if entry.kind != "match":
                self.others.append(entry)
                if entry.kind in INTERVENTIONS and entry.season == self._season:
                    self._intervened(entry)
            elif entry.season == self._season:
                self._compare(entry)
            yield entry

    def _intervened(self, entry: Entry) -> None:
        try:
            what = Intervention.told(entry.data)
        except ValueError as error:
            self._unreadable.append(str(error))
            return
        self._interventions.append(what)
        self._parts.append(self.rest)
        self.rest = []

    def _compare(self, entry: Entry) -> None:
        key = str(entry["key"])
        self.rest.append(key)
        if key in self._told:
            self._twice.append(f"{key}: the ledger tells twice that it was played")
        self._told.add(key)
        self._changed.pop(key, None)
        line = self._findings.line(key)
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

    def _of_matches(self) -> Iterator[str]:
        for key, _ in self._findings.lines():
            if key not in self._told:
                self._changed[key] = (
                    f"{key}: the match was put in: the ledger does not tell that it was played"
                )
        for key in sorted(self._changed):
            yield self._changed[key]

    def _of_numbers(self) -> Iterator[str]:
        """Seasons begin one after another; one that was played and left out leaves a gap."""
        begun = [entry.season for entry in self.others if entry.kind == "begin"]
        for before, after in pairwise(begun):
            if isinstance(before, int) and isinstance(after, int) and after != before + 1:
                yield (
                    f"season {before + 1} was left out: the ledger goes from season {before} to"
                    f" season {after}"
                )
