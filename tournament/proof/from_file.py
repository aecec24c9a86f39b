"""A season's evidence from a file that `arena export` wrote; it needs no database."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from common.canonical_json import sha256
from common.moments import from_iso
from leaderboard.differences import Difference
from leaderboard.proof.ledger import Entry
from leaderboard.proof.ledger_reader import LedgerReader, Numbered
from leaderboard.proof.manifest import Manifest
from leaderboard.proof.reading import SeasonFile
from leaderboard.results import Lucks, Result, lucks_of, scorecard
from leaderboard.season_settings import SeasonSettings
from leaderboard.statistics.ratings import Rating, fold
from leaderboard.statistics.same_contest import beginnings, same_table
from leaderboard.storage.checkpoint import Finding, SeasonFindings
from leaderboard.storage.chunks import CHUNK
from leaderboard.storage.entries import Placing, Season
from leaderboard.storage.stored_match import Checked
from tables.record import Record
from tables.seating import Seating
from tournament.formats.base import Player, Schedule
from tournament.play.schedules import Past, schedule_for
from tournament.proof.evidence import EarlierMissing, Evidence
from tournament.proof.findings import Task, Terms, Unchanged, of_matches


@dataclass(frozen=True, slots=True)
class FiledBot:
    """An entrant at a table, by its name and the number of its version."""

    bot: str
    version: int


@dataclass(frozen=True, slots=True)
class FiledMatch:
    """A match in a season's file, with the bots of its entrants."""

    key: str
    records: tuple[Record, ...]
    entrants: tuple[FiledBot, ...]
    seatings: tuple[Seating, ...]

    def at_table(self, number: int) -> tuple[FiledBot, ...]:
        """The entrants of this record, seat by seat."""
        return tuple(self.entrants[entrant] for entrant in self.seatings[number])


class Filed(Evidence):
    """A season in a file; `earlier` are the tournament's seasons before it, by their numbers.

    Everything that was not said of the season before it began stands in its manifest alone. Raises
    `BadSeasonFile` wherever the file can't be read.
    """

    keeps_legs = False

    def __init__(self, path: Path, earlier: Mapping[int, Filed] | None = None) -> None:
        self._file = SeasonFile(path)
        self._before = earlier or {}
        self._rated: dict[frozenset[tuple[object, object]], Mapping[int, Rating]] = {}
        self.season = self._season()

    @property
    def manifest(self) -> Manifest:
        return self._file.manifest

    def ledger(self) -> Iterator[Entry]:
        return self._file.entries()

    def ledger_read(self) -> tuple[LedgerReader, int]:
        """As it is in the file, to its end."""
        reader = LedgerReader(self.season.tournament)
        reader.follow(enumerate(self.ledger(), start=1))
        return reader, reader.newest

    def entries(self, first: int, last: int) -> Iterator[Numbered]:
        return islice(enumerate(self.ledger(), start=1), first - 1, last)

    @cached_property
    def count(self) -> int:
        return self._file.count_matches()

    def matches(self) -> Iterator[Checked]:
        """As they are in the file, in its order, with what their records come to."""
        for line, data in self._file.matches():
            yield FiledLine(line, data).checked()

    def tasks(self, found: SeasonFindings) -> Iterator[Task]:
        """As they are in the file, in its order."""
        lines = (FiledLine(line, data) for line, data in self._file.matches())
        while batch := [*islice(lines, CHUNK)]:
            keys = [each.key for each in batch]
            known = found.fingerprints(min(keys), max(keys))
            yield Task(
                of_lines,
                (self.terms, [each.line for each in batch], known),
                partial(of_matches, batch, self.terms, known),
            )

    def match(self, key: str) -> FiledMatch | None:
        """The match of this key, if it is in the file and its records can be read."""
        names = {each.version: FiledBot(each.bot, each.number) for each in self.manifest.entrants}
        for match in self.matches():
            if match.key == key and match.derived is not None:
                unknown = FiledBot("an unknown bot", 0)
                entrants = tuple(names.get(version, unknown) for version in match.versions)
                return FiledMatch(key, match.records, entrants, match.seatings)
        return None

    @cached_property
    def results(self) -> Sequence[Result]:
        """What the records of its matches come to, for files of later seasons."""
        return [
            match.derived.result(match.key, match.leg, match.round, match.versions)
            for match in self.matches()
            if match.derived is not None
        ]

    def schedule(self, annulled: Container[str]) -> Schedule:
        """By the manifest's line-up; raises `EarlierMissing` if seasons before it are needed."""
        players = tuple(map(Player.of, (it for it in self.manifest.entrants if not it.sits_out)))
        past = Past(self._earlier, self._ratings)
        return schedule_for(self.season, self.settings, players, past, annulled)

    def standings(self) -> Sequence[Placing]:
        return [
            Placing(
                each["version"],
                each["rank"],
                each["points"],
                tuple((title, value) for title, value in each["tie_breaks"]),
            )
            for each in self._file.standings["standings"]
        ]

    def panels(self) -> Sequence[Mapping[str, Any]]:
        return list(self._file.standings["panels"])

    def standings_hash(self) -> str:
        """Of the file's standings."""
        return sha256(self._file.standings_text)

    def listed(self) -> None:
        """Nothing: the line-up stands in the manifest."""

    def of_bundles(self, known: dict[int, Sequence[str]]) -> Iterator[str]:  # noqa: ARG002
        """Nothing: bots' files belong to their authors, who can compare the digests."""
        return iter(())

    @cached_property
    def _numbers(self) -> Sequence[int]:
        """The tournament's earlier seasons, as the ledger has them."""
        begun = {entry.season for entry in self.ledger() if entry.kind == "begin"}
        return sorted(
            number for number in begun if isinstance(number, int) and number < self.season.number
        )

    def _past(self) -> Sequence[Filed]:
        """The tournament's earlier seasons; raises `EarlierMissing` if one is not at hand."""
        missing = [number for number in self._numbers if number not in self._before]
        if missing:
            raise EarlierMissing(missing)
        return [self._before[number] for number in self._numbers]

    def _earlier(self) -> list[Result]:
        same = [
            each for each in self._past() if same_table(each.season.contest, self.season.contest)
        ]
        return [result for each in same for result in self._counted(each)]

    @cached_property
    def _annulled(self) -> frozenset[tuple[object, object]]:
        """What was annulled in earlier seasons when this one began: season and match, or None."""
        found = set()
        for entry in self.ledger():
            if entry.kind == "annul":
                found.add((entry.season, entry["key"]))
            elif (entry.kind, entry.season) == ("begin", self.season.number):
                break
        return frozenset(found)

    def _counted(self, before: Filed) -> Sequence[Result]:
        """The results of an earlier season that counted when this one began."""
        number = before.season.number
        if (number, None) in self._annulled:
            return ()
        return [each for each in before.results if (number, each.key) not in self._annulled]

    def _ratings(self) -> Mapping[int, Rating]:
        """The ratings at the season's start; each season keeps its own for those that follow."""
        rated = [
            each
            for each in self._past()
            if each.season.rated and (each.season.number, None) not in self._annulled
        ]
        begun = beginnings((each.season.number, each.season.contest) for each in (*rated, self))
        current: Mapping[int, Rating] = {}
        for each in (*rated, self):
            if begun[each.season.number].season == each.season.number:
                current = {}
            if each is self:
                break
            if self._annulled not in each._rated:
                each._rated[self._annulled] = fold(self._counted(each), current).current
            current = each._rated[self._annulled]
        return current

    def _season(self) -> Season:
        facts, data = self._file.facts, self._file.manifest.data
        ended = self._moment("finish") if facts.finished else None
        due = from_iso(data["due"])
        settings = SeasonSettings.model_validate(data["settings"])
        value_from = dict(data["public_value"])
        return Season(
            id=0,
            tournament=data["tournament"],
            number=data["season"],
            settings=settings,
            rated=settings.facts.rated,
            seed=bytes.fromhex(facts.seed or ""),
            due=due,
            started=self._moment("begin") or due,
            finished=(ended or due) if facts.finished else None,
            manifest=facts.manifest,
            key_from="seed" if facts.key == "seed" else "manifest",
            value_from=None if value_from["source"] == "none" else value_from,
            public_value=facts.public_value,
            rules=data["rules"]["version"],
        )

    def _moment(self, kind: str) -> datetime | None:
        """When an entry of this kind says that it was written."""
        number = self._file.manifest.data.get("season")
        for entry in self.ledger():
            if (entry.kind, entry.season) == (kind, number):
                try:
                    return from_iso(str(entry["time"]))
                except ValueError:
                    return None
        return None


@dataclass(frozen=True, slots=True)
class FiledLine:
    """A match in a file: the line that is hashed, and what it says as plain data."""

    line: str
    data: Mapping[str, Any]

    @property
    def key(self) -> str:
        return str(self.data["key"])

    @property
    def fingerprint(self) -> str:
        """The hash of its line."""
        return sha256(self.line)

    def checked(self, lucks: Lucks = lucks_of) -> Checked:
        """Work out what its records come to; nothing is kept beside them."""
        data = self.data
        sides, seatings = tuple(data["sides"]), tuple(map(tuple, data["seatings"]))
        found: tuple[Difference, ...] = ()
        records: tuple[Record, ...] = ()
        derived = None
        try:
            records = tuple(map(Record.from_data, data["records"]))
            derived = scorecard(records, seatings, sides, lucks)
        except (LookupError, TypeError, ValueError) as error:
            found = (Difference(data["key"], "a record", str(error), "one that can be read"),)
        return Checked(
            key=data["key"],
            leg=data["leg"],
            round=data["round"],
            labels=tuple(data["labels"]),
            versions=tuple(data["entrants"]),
            sides=sides,
            seatings=seatings,
            records=records,
            derived=derived,
            differences=found,
            line=self.line,
        )


def of_lines(
    terms: Terms, lines: Sequence[str], known: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check matches of a file, in a worker; their lines were read before and are well formed."""
    return of_matches([FiledLine(line, json.loads(line)) for line in lines], terms, known)
