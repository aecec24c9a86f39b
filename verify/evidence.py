"""A season to be checked, from the database or from a file."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from card_arena.common.json import sha256
from card_arena.common.moments import from_iso
from card_arena.formats.field import Listed, Placing, Player
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Lucks, Result, lucks_of, scorecard
from card_arena.ratings.same_contest import beginnings, same_table
from card_arena.ratings.trueskill_ratings import Rating, fold
from card_arena.results.entries import Season, Version
from card_arena.results.errors import Damaged
from card_arena.results.proof.grammar import LedgerReader, Numbered
from card_arena.results.proof.ledger import Entry
from card_arena.results.proof.manifest import Manifest
from card_arena.results.proof.season_file import SeasonFile
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.results.stored_match import CHUNK, Checked, Chunk, Difference
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle
from card_arena.sandbox.bundles.manifest import ALL_GAMES
from card_arena.sandbox.limits import LARGEST_BUNDLE
from card_arena.tables.record import Record
from card_arena.tournament.play.schedules import (
    Course,
    Past,
    course_of,
    past_of,
    players_of,
    schedule_for,
)
from card_arena.tournament.settings import Settings, thaw
from card_arena.tournament.submissions import described
from card_arena.verify.findings import (
    Finding,
    SeasonFindings,
    Task,
    Terms,
    Unchanged,
    of_chunk,
    of_matches,
)


def moment(entry: Entry) -> datetime | None:
    """Return the time of an entry; None if it has no valid one."""
    try:
        return from_iso(str(entry["time"]))
    except (LookupError, ValueError):
        return None


class SeasonEvidence:
    """The common part of a season in the database and of one in a file."""

    season: Season

    def course(self) -> Course | None:
        """Return its stored interventions; None for a file, which has the ledger only."""
        return None

    def annulled(self) -> Collection[str] | None:
        """Return the keys of its annulled matches as stored; None for a file."""
        return None

    def tally(self) -> Sequence[Any] | None:
        """Return the tally that the next season continues; None if none is stored."""
        return None

    def of_bundles(self, checked: dict[int, Sequence[str]]) -> Iterator[str]:  # noqa: ARG002
        """Compare the stored facts of every playing bot with its files; a file has none.

        `checked` has the differences of the versions that were checked before.
        """
        return iter(())

    def listed(self) -> Sequence[Listed] | None:
        """Return the stored line-up; None for a file, which has the manifest only."""
        return None

    @property
    def place(self) -> str:
        return f"{self.season.tournament}/{self.season.number}"

    @cached_property
    def terms(self) -> Terms:
        """The settings and the key against which its matches are checked; raises `Damaged`."""
        season = self.season
        _ = self.settings  # a worker that can't read them could not say whose they are
        has_key = season.seed and not season.awaits_value
        return Terms(season.settings, season.key if has_key else None)

    @cached_property
    def settings(self) -> Settings[Any]:
        """Its frozen settings; raises `Damaged` if they are no longer valid."""
        try:
            return thaw(self.season.settings)
        except (LookupError, TypeError, ValidationError) as error:
            reason = str(error) if isinstance(error, ValidationError) else repr(error)
            raise Damaged(
                f"{self.season.tournament}, season {self.season.number}: its settings can't be read"
                f" any more: {reason}"
            ) from error


class Stored(SeasonEvidence):
    """A season in the database."""

    keeps_legs = True

    def __init__(self, store: Store, season: Season, reader: LedgerReader) -> None:
        self._store = store
        self.season = season
        self._reader = reader
        self._until = store.stored_until_now(season)

    @cached_property
    def manifest(self) -> Manifest:
        """The published manifest."""
        return self._store.manifest(self.season.id)

    def ledger_read(self) -> tuple[LedgerReader, int]:
        """Return the reader of the ledger, and the number of its last entry about the season.

        Entries that were added since the check began are left out, as are their matches.
        """
        until = self._until.entry
        self._reader.follow(self.entries(self._reader.newest + 1, until))
        return self._reader, until

    def entries(self, first: int, last: int) -> Iterator[Numbered]:
        return self._store.ledger_between(self.season.tournament, first, last)

    @property
    def count(self) -> int:
        return self._until.matches

    def tasks(self, findings: SeasonFindings) -> Iterator[Task]:
        """Return all its matches, in tasks of a size that suits a worker.

        `findings` are those so far; the stored numbers are compared with the records.
        """
        for chunk in self._store.chunks(self.season.id, self._until.match):
            earlier = findings.fingerprints(chunk.first, chunk.last)
            yield Task(
                of_chunk,
                (self._store.database.address, self.terms, chunk, earlier),
                partial(self._checked, chunk, earlier),
            )

    def _checked(self, chunk: Chunk, earlier: Mapping[str, str]) -> Sequence[Finding | Unchanged]:
        return of_matches(self._store.stored_matches(chunk), self.terms, earlier)

    def schedule(self, annulled: Container[str]) -> Schedule:
        """Its schedule without results; `annulled` are matches that were, by their keys."""
        players = players_of(self._store, self.season)
        past = replace(past_of(self._store, self.season), tally=None)
        return schedule_for(self.season, self.settings, players, past, annulled)

    def course(self) -> Course:
        return course_of(self._store, self.season)

    def annulled(self) -> Collection[str]:
        return self._store.annulled_keys(self.season.id)

    def standings(self) -> Sequence[Placing]:
        return self._store.standings(self.season.id)

    def tally(self) -> Sequence[Any] | None:
        return self._store.tally(self.season.id)

    def panels(self) -> Sequence[Mapping[str, Any]]:
        return self._store.panels(self.season.id)

    def standings_hash(self) -> str:
        """Return the hash of the stored standings and panels, as the ledger has it."""
        return sha256(self._store.standings_text(self.season.id))

    def listed(self) -> Sequence[Listed]:
        return self._store.line_up(self.season.id)

    def of_bundles(self, checked: dict[int, Sequence[str]]) -> Iterator[str]:
        playing = [e.version_id for e in self._store.entrants(self.season.id) if not e.sits_out]
        for number, version in self._store.versions([*{*playing} - checked.keys()]).items():
            checked[number] = [*self._of_bundle(number, version)]
        for number in playing:
            yield from checked[number]

    def _of_bundle(self, number: int, version: Version) -> Iterator[str]:
        try:
            archive = self._store.archive(number)
            submission = described(Bundle.from_archive(archive, LARGEST_BUNDLE))
        except BadBundle as error:
            yield f"version {number}: its files can't be read: {error}"
            return
        # The games that the arena had on the day of the submission are known to it alone.
        plays_all = submission.games == (ALL_GAMES,)
        names = {version.bot, *(move.name for move in self._store.moves(version.bot))}
        for what, stored, right in (
            ("name", submission.name if submission.name in names else version.bot, submission.name),
            ("digest", version.digest, submission.digest),
            ("list of games", version.games, version.games if plays_all else submission.games),
            ("protocol", version.protocol, submission.protocol),
            ("language", version.language, submission.language),
            ("line about it", version.about, submission.about),
            ("tags", version.tags, submission.tags),
        ):
            if stored != right:
                yield f"version {number}: its {what} is stored as {stored}, but is {right}"


class EarlierMissing(Exception):
    """A format goes by earlier seasons, and these are not among the files."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(numbers)
        self.numbers = numbers


class Filed(SeasonEvidence):
    """A season in a file; `earlier` are the tournament's seasons before it, by their numbers.

    Raises `BadSeasonFile` wherever the file can't be read.
    """

    keeps_legs = False
    """Whether its placings have the results of legs."""

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
        reader = LedgerReader(self.season.tournament)
        reader.follow(enumerate(self.ledger(), start=1))
        return reader, reader.newest

    def entries(self, first: int, last: int) -> Iterator[Numbered]:
        return islice(enumerate(self.ledger(), start=1), first - 1, last)

    @cached_property
    def count(self) -> int:
        return self._file.count_matches()

    def matches(self) -> Iterator[Checked]:
        """Its matches with the results of their records, in the order of the file."""
        for line, data in self._file.matches():
            yield FiledLine(line, data).checked()

    def tasks(self, findings: SeasonFindings) -> Iterator[Task]:
        lines = (FiledLine(line, data) for line, data in self._file.matches())
        while batch := [*islice(lines, CHUNK)]:
            keys = [match.key for match in batch]
            earlier = findings.fingerprints(min(keys), max(keys))
            yield Task(
                of_lines,
                (self.terms, [match.line for match in batch], earlier),
                partial(of_matches, batch, self.terms, earlier),
            )

    @cached_property
    def results(self) -> Sequence[Result]:
        """The results of its matches by their records, for files of later seasons."""
        return [
            match.derived.result(match.key, match.leg, match.round, match.versions)
            for match in self.matches()
            if match.derived is not None
        ]

    def schedule(self, annulled: Container[str]) -> Schedule:
        """By the manifest's line-up; raises `EarlierMissing` if seasons before it are needed."""
        entrants = self.manifest.entrants
        players = tuple(Player.of(entrant) for entrant in entrants if not entrant.sits_out)
        past = Past(self._earlier, self._ratings)
        return schedule_for(self.season, self.settings, players, past, annulled)

    def standings(self) -> Sequence[Placing]:
        return [
            Placing(
                line["version"], line["rank"], line["points"], tuple(map(tuple, line["tie_breaks"]))
            )
            for line in self._file.standings["standings"]
        ]

    def panels(self) -> Sequence[Mapping[str, Any]]:
        return list(self._file.standings["panels"])

    def standings_hash(self) -> str:
        return sha256(self._file.standings_text)

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
        return [
            result
            for earlier in self._past()
            if same_table(earlier.season.contest, self.season.contest)
            for result in self._counted(earlier)
        ]

    @cached_property
    def _annulled(self) -> frozenset[tuple[object, object]]:
        """The matches annulled in earlier seasons when this one began: season and key, or None."""
        annulled = set()
        for entry in self.ledger():
            if entry.kind == "annul":
                annulled.add((entry.season, entry["key"]))
            elif (entry.kind, entry.season) == ("begin", self.season.number):
                break
        return frozenset(annulled)

    def _counted(self, before: Filed) -> Sequence[Result]:
        """The results of an earlier season that counted when this one began."""
        number = before.season.number
        if (number, None) in self._annulled:
            return ()
        return [result for result in before.results if (number, result.key) not in self._annulled]

    def _ratings(self) -> Mapping[int, Rating]:
        """The ratings at the season's start; each season keeps its own for those that follow."""
        rated = [
            earlier
            for earlier in self._past()
            if earlier.season.rated and (earlier.season.number, None) not in self._annulled
        ]
        begun = beginnings((filed.season.number, filed.season.contest) for filed in (*rated, self))
        current: Mapping[int, Rating] = {}
        for filed in (*rated, self):
            if begun[filed.season.number].season == filed.season.number:
                current = {}
            if filed is self:
                break
            if self._annulled not in filed._rated:
                filed._rated[self._annulled] = fold(self._counted(filed), current).current
            current = filed._rated[self._annulled]
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
        """The time of the season's first entry of this kind; None without a valid one."""
        number = self._file.manifest.data.get("season")
        entries = (e for e in self.ledger() if (e.kind, e.season) == (kind, number))
        return next(map(moment, entries), None)


Evidence = Stored | Filed
"""The data of one season, stored or filed."""


@dataclass(frozen=True, slots=True)
class FiledLine:
    """A match in a file: the line that is hashed, and its data."""

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
        """Compute the results of its records."""
        data = self.data
        sides, seatings = tuple(data["sides"]), tuple(map(tuple, data["seatings"]))
        different: tuple[Difference, ...] = ()
        records: tuple[Record, ...] = ()
        derived = None
        try:
            records = tuple(map(Record.from_data, data["records"]))
            derived = scorecard(records, seatings, sides, lucks)
        except (LookupError, TypeError, ValueError) as error:
            different = (Difference(data["key"], "a record", str(error), "one that can be read"),)
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
            differences=different,
            line=self.line,
        )


def of_lines(
    terms: Terms, lines: Sequence[str], earlier: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check matches of a file, in a worker; their lines were read before and are well formed."""
    return of_matches([FiledLine(line, json.loads(line)) for line in lines], terms, earlier)
