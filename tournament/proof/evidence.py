"""What is to be checked of a season, wherever it comes from: the database, or a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar

from pydantic import ValidationError

from common.canonical_json import sha256
from leaderboard.proof.ledger_reader import LedgerReader, Numbered
from leaderboard.proof.manifest import Listed, Manifest, utc
from leaderboard.storage.checkpoint import Finding, SeasonFindings
from leaderboard.storage.chunks import Chunk
from leaderboard.storage.database import Damaged
from leaderboard.storage.entries import Placing, Season, Version
from leaderboard.storage.store import Store
from sandbox.bundles.bundle import BadBundle, Bundle
from sandbox.limits import LARGEST_BUNDLE
from tournament.authors.submission import described
from tournament.formats.base import Schedule
from tournament.play.schedules import Course, course_of, past_of, players_of, schedule_for
from tournament.proof.findings import Task, Terms, Unchanged, of_chunk, of_matches
from tournament.settings import Settings, thaw


class Evidence(ABC):
    """Everything that is known of one season."""

    season: Season
    keeps_legs: ClassVar[bool]
    """Whether its placings are kept with what legs came to."""

    @property
    @abstractmethod
    def manifest(self) -> Manifest:
        """Its manifest as it was published."""

    @abstractmethod
    def ledger_read(self) -> tuple[LedgerReader, int]:
        """The reader of the ledger, and the number of its last entry that counts here."""

    @abstractmethod
    def entries(self, first: int, last: int) -> Iterable[Numbered]:
        """The entries of the ledger with these numbers."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many matches it has."""

    @abstractmethod
    def tasks(self, found: SeasonFindings) -> Iterator[Task]:
        """All its matches, in tasks of a size that suits a worker.

        `found` are the findings so far; each task takes along those of its matches.
        """

    @abstractmethod
    def schedule(self, annulled: Container[str]) -> Schedule:
        """Its schedule, still without results; `annulled` are matches that were, by their keys."""

    def course(self) -> Course | None:
        """What is kept of what was done to it, apart from the ledger; None if nothing is."""
        return None

    def annulled(self) -> Collection[str] | None:
        """The matches that are kept as annulled, apart from the ledger; None if that isn't."""
        return None

    @abstractmethod
    def standings(self) -> Sequence[Placing]:
        """The placings that were kept, the best first."""

    @abstractmethod
    def panels(self) -> Sequence[Mapping[str, Any]]:
        """The pictures that were kept."""

    def tally(self) -> Sequence[Any] | None:
        """What was kept for the next season to go on from; None if nothing was."""
        return None

    @abstractmethod
    def standings_hash(self) -> str:
        """The hash of what was kept of standings and pictures, as the ledger has it."""

    @abstractmethod
    def of_bundles(self, known: dict[int, Sequence[str]]) -> Iterator[str]:
        """Compare what is said of every playing bot with its files, where they are at hand.

        `known` is what came of it, version by version: what is in it is not worked out again.
        """

    @abstractmethod
    def listed(self) -> Sequence[Listed] | None:
        """The line-up as it is kept apart from the manifest; None if it isn't."""

    @property
    def place(self) -> str:
        """The season's name."""
        return f"{self.season.tournament}/{self.season.number}"

    @cached_property
    def terms(self) -> Terms:
        """What its matches are checked against."""
        season = self.season
        known = season.seed and not season.awaits_value
        return Terms(season.settings, season.key if known else None)

    @cached_property
    def settings(self) -> Settings[Any]:
        """Its frozen settings; raises `Damaged` if they are no longer valid."""
        where = f"{self.season.tournament}, season {self.season.number}"
        try:
            return thaw(self.season.settings)
        except ValidationError as error:
            raise Damaged(f"{where}: its settings can't be read any more: {error}") from error
        except (LookupError, TypeError) as error:  # no such game, or not even a mapping
            raise Damaged(f"{where}: its settings can't be read any more: {error!r}") from error


class Stored(Evidence):
    """A season in the database."""

    keeps_legs = True

    def __init__(self, store: Store, season: Season, reader: LedgerReader) -> None:
        self._store = store
        self.season = season
        self._reader = reader
        self._until = store.stored_until_now(season)

    @cached_property
    def manifest(self) -> Manifest:
        """As it is stored beside the season."""
        return self._store.manifest(self.season.id)

    def ledger_read(self) -> tuple[LedgerReader, int]:
        """As it is stored; what was added meanwhile is left out, as are the matches it tells of."""
        until = self._until.entry
        self._reader.follow(self.entries(self._reader.newest + 1, until))
        return self._reader, until

    def entries(self, first: int, last: int) -> Iterator[Numbered]:
        return self._store.ledger_between(self.season.tournament, first, last)

    @property
    def count(self) -> int:
        return self._until.matches

    def tasks(self, found: SeasonFindings) -> Iterator[Task]:
        """As they are stored; the numbers beside the records are compared with them."""
        for chunk in self._store.chunks(self.season.id, self._until.match):
            known = found.fingerprints(chunk.first, chunk.last)
            yield Task(
                of_chunk,
                (self._store.database.address, self.terms, chunk, known),
                partial(self._checked, chunk, known),
            )

    def _checked(self, chunk: Chunk, known: Mapping[str, str]) -> Sequence[Finding | Unchanged]:
        return of_matches(self._store.stored_matches(chunk), self.terms, known)

    def schedule(self, annulled: Container[str]) -> Schedule:
        """By the line-up when it began, and what is stored of earlier seasons."""
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
        """As it is stored, if this is the newest season."""
        return self._store.tally(self.season.id)

    def panels(self) -> Sequence[Mapping[str, Any]]:
        return self._store.panels(self.season.id)

    def standings_hash(self) -> str:
        """Of what is stored."""
        return sha256(self._store.standings_text(self.season.id))

    def listed(self) -> Sequence[Listed]:
        """As it is stored in the line-up, and with each version."""
        entrants = self._store.entrants(self.season.id)
        versions = self._store.versions([entrant.version_id for entrant in entrants])
        return [
            Listed(
                version=each.version_id,
                bot=versions[each.version_id].bot,
                number=versions[each.version_id].number,
                author=versions[each.version_id].author,
                digest=versions[each.version_id].digest,
                submitted=utc(versions[each.version_id].submitted),
                sits_out=each.sits_out,
            )
            for each in entrants
        ]

    def of_bundles(self, known: dict[int, Sequence[str]]) -> Iterator[str]:
        """Compare what is stored about every playing bot with the bot's own files."""
        playing = [e.version_id for e in self._store.entrants(self.season.id) if not e.sits_out]
        for number, version in self._store.versions([*{*playing} - known.keys()]).items():
            known[number] = [*self._of_bundle(number, version)]
        for number in playing:
            yield from known[number]

    def _of_bundle(self, number: int, version: Version) -> Iterator[str]:
        try:
            archive = self._store.archive(number)
            found = described(Bundle.from_archive(archive, LARGEST_BUNDLE))
        except BadBundle as error:
            yield f"version {number}: its files can't be read: {error}"
            return
        names = {version.bot, *(move.name for move in self._store.moves(version.bot))}
        for what, stored, said in (
            ("name", found.name if found.name in names else version.bot, found.name),
            ("digest", version.digest, found.digest),
            ("list of games", version.games, found.games),
            ("protocol", version.protocol, found.protocol),
            ("language", version.language, found.language),
            ("line about it", version.about, found.about),
            ("tags", version.tags, found.tags),
        ):
            if stored != said:
                yield f"version {number}: its {what} is stored as {stored}, but is {said}"


class EarlierMissing(Exception):
    """A format goes by earlier seasons, and these are not among the files."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(numbers)
        self.numbers = numbers
