"""A match as a file: `arena pull` fetches it, and `arena replay` and `arena repro` read it.

It has the records of the games, which are public, and no standard error of bots. It is JSON of the
model `MatchFile`, in format `FORMAT`. A file is untrusted input, so it is checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from card_arena.common.errors import UserError
from card_arena.common.json import first_error, read_json
from card_arena.leaderboard.matches import MatchDetail
from card_arena.results.proof.shapes import Count, Number, RecordShape, Text
from card_arena.results.season_settings import SeasonClock, SeasonLimits, SeasonSettings
from card_arena.tables.record import Record
from card_arena.tables.seating import Seating

FORMAT: Literal[1] = 1
"""The version of the file's format, raised with every incompatible change."""

LARGEST = 512 * 1024 * 1024
"""The most bytes of a file."""


class BadMatchFile(UserError):
    """A file is not a match that this arena can read."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FiledEntrant(_Part):
    """An entrant of the match; entrants of one `side` are partners."""

    bot: Text
    version: Count
    author: Text
    side: Count


class MatchFile(_Part):
    """A match: its season, its seatings, and the record of each game.

    `clock` and `limits` are the season's settings. `seatings` has a list for each game: the entrant
    of every seat, as a place in `entrants`.
    """

    format: Literal[1]
    key: Text
    tournament: Text
    season: Count
    leg: Number
    round: Number
    labels: list[Text]
    clock: SeasonClock
    limits: SeasonLimits
    entrants: Annotated[list[FiledEntrant], Field(min_length=1, max_length=100)]
    seatings: list[list[Annotated[StrictInt, Field(ge=0, le=99)]]]
    records: Annotated[list[RecordShape], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class FiledMatch:
    """A match that was read from a file; `clock` and `limits` are the season's settings."""

    key: str
    entrants: tuple[FiledEntrant, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]
    clock: SeasonClock
    limits: SeasonLimits

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read an untrusted file; raises `BadMatchFile`."""
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise BadMatchFile(f"{path}: can't be read: {error.strerror or error}") from error
        if len(data) > LARGEST:
            raise BadMatchFile(f"{path}: is larger than {LARGEST // 1024**2} MiB")
        try:
            plain = read_json(data)
            return cls._of(MatchFile.model_validate(plain), plain["records"])
        except ValidationError as error:
            raise _unreadable(path, first_error(error)) from None
        except (ValueError, TypeError, KeyError) as error:
            raise _unreadable(path, str(error)[:200]) from None

    @classmethod
    def _of(cls, file: MatchFile, records: list[Mapping[str, Any]]) -> Self:
        records_read = tuple(map(Record.from_data, records))
        seatings = tuple(map(tuple, file.seatings))
        if [record.seats for record in records_read] != [*map(len, seatings)]:
            raise ValueError("seatings: expected one for each game, with an entrant for every seat")
        if any(entrant >= len(file.entrants) for seating in seatings for entrant in seating):
            raise ValueError("seatings: expected places in the list of entrants")
        return cls(file.key, tuple(file.entrants), seatings, records_read, file.clock, file.limits)

    def at_table(self, number: int) -> tuple[FiledEntrant, ...]:
        """The entrants of this record, seat by seat."""
        return tuple(self.entrants[entrant] for entrant in self.seatings[number])


def match_file(match: MatchDetail, settings: SeasonSettings) -> str:
    """A stored match as the text of its file; `settings` are the season's."""
    data = {
        "format": FORMAT,
        "key": match.key,
        "tournament": match.tournament,
        "season": match.season,
        "leg": match.leg,
        "round": match.round,
        "labels": match.labels,
        "clock": settings.clock.data(),
        "limits": settings.limits.data(),
        "entrants": [
            {name: getattr(entrant, name) for name in ("bot", "version", "author", "side")}
            for entrant in match.entrants
        ],
        "seatings": match.seatings,
        "records": [record.to_data() for record in match.records],
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def is_match_file(word: str) -> bool:
    """Whether a word names a file rather than a match's address in a database."""
    return word.endswith(".json") and Path(word).is_file()


def file_name(key: str) -> str:
    """The usual name of a match's file: `friday-0003-t07-r2-a.json`."""
    return f"{key.replace('/', '-')}.json"


def _unreadable(path: Path, why: str) -> BadMatchFile:
    return BadMatchFile(f"{path}: is not a match file of `arena pull`: {why}")
