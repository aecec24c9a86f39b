"""What entries of each kind tell: these fields, and no others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    ValidationError,
    model_validator,
)

from common.canonical_json import canonical
from common.moments import from_iso
from leaderboard.proof.shapes import EntrantShape, Text

Number = Annotated[StrictInt, Field(ge=1, le=2**62)]
Count = Annotated[StrictInt, Field(ge=0, le=2**62)]

_HASH = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class BadEntry(ValueError):
    """An entry is none that an arena writes; the message says what is wrong with it."""


def _hash(text: str) -> str:
    if not _HASH.fullmatch(text):
        raise ValueError("must be 64 small hexadecimal digits")
    return text


def _time(text: str) -> str:
    if not _TIME.fullmatch(text):
        raise ValueError("must be a time such as 2026-11-27T20:00:00Z")
    from_iso(text)
    return text


Hash = Annotated[Text, AfterValidator(_hash)]
Time = Annotated[Text, AfterValidator(_time)]


class Told(BaseModel):
    """An entry of any kind. What is None is not in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: ClassVar[str]
    """What it tells of, in a few words."""

    kind: str
    number: Number
    previous: Hash
    season: Number
    time: Time

    @model_validator(mode="before")
    @classmethod
    def _has_no_nulls(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        if empty := [name for name, value in data.items() if value is None]:
            raise ValueError(f"{empty[0]} must be left out or have a value")
        return data


class Announce(Told):
    """The hash of a season's seed."""

    title = "an announcement of the seed"
    kind: Literal["announce"]
    sha256: Hash


class Begin(Told):
    """A season began; `sha256` is that of its manifest."""

    title = "its beginning"
    kind: Literal["begin"]
    sha256: Hash


class Nonce(Told):
    """A bot's nonce was shown."""

    title = "a nonce"
    kind: Literal["nonce"]
    bot: Text
    nonce: Text


class Unshown(Told):
    """These bots' nonces were not shown in time."""

    title = "missing nonces"
    kind: Literal["unshown"]
    bots: Annotated[list[Text], Field(min_length=1)]


class Value(Told):
    """A season's public value."""

    title = "its public value"
    kind: Literal["value"]
    value: Text


class Attempt(Told):
    """These matches are about to be played."""

    title = "an attempt"
    kind: Literal["attempt"]
    keys: Annotated[list[Text], Field(min_length=1)]


class Match(Told):
    """A match was played; `host` is the cluster's host that played it."""

    title = "a match"
    kind: Literal["match"]
    key: Text
    entrants: list[Number]
    sha256: Hash
    host: Text | None = None
    host_sha256: Hash | None = None

    @model_validator(mode="after")
    def _has_a_whole_host(self) -> Match:
        if (self.host is None) != (self.host_sha256 is None):
            raise ValueError("host and host_sha256 belong together")
        return self


class Void(Told):
    """An attempt that counts for nothing."""

    title = "a void attempt"
    kind: Literal["void"]
    key: Text
    reason: Text


class Trial(Told):
    """A version is about to be tried alone at a match's table."""

    title = "a trial"
    kind: Literal["trial"]
    key: Text
    version: Number


class NoSandbox(Told):
    """A version gets no sandbox, in a match or in the rest of the season."""

    title = "a bot without a sandbox"
    kind: Literal["no sandbox"]
    version: Number
    reason: Text
    key: Text | None = None


class Pause(Told):
    """A season is no longer played."""

    title = "a pause"
    kind: Literal["pause"]
    reason: Text


class Resume(Told):
    """A season is played on."""

    title = "a resumption"
    kind: Literal["resume"]


class Finish(Told):
    """A season is over; `sha256` is that of its standings."""

    title = "its end"
    kind: Literal["finish"]
    matches: Count
    sha256: Hash


class Intervened(Told):
    """Something was done to a season."""

    title = "an intervention"
    intervention: Number
    reason: Text


class Leave(Intervened):
    """A version plays no more."""

    kind: Literal["expel", "probation"]
    version: Number


class Admit(Intervened):
    """A version plays from now on."""

    kind: Literal["admit"]
    version: Number
    entrant: EntrantShape

    @model_validator(mode="after")
    def _is_one_version(self) -> Admit:
        if self.entrant.version != self.version or self.entrant.sits_out:
            raise ValueError("entrant must be that version, and play")
        return self


class Annul(Intervened):
    """A match, or the whole season, counts for nothing; `standings` is the hash of new ones."""

    kind: Literal["annul"]
    key: Text | None = None
    standings: Hash | None = None


class Unplayed(Intervened):
    """A match could not be played."""

    kind: Literal["unplayed"]
    key: Text


class Move(Told):
    """A bot has another name or another author."""

    title = "a bot's move"
    kind: Literal["move"]
    bot: Text
    author: Text
    to_bot: Text
    to_author: Text
    reason: Text


_SHAPES: Mapping[str, type[Told]] = {
    kind: shape
    for shape in (
        *(Announce, Begin, Nonce, Unshown, Value, Attempt, Match, Void, Trial, NoSandbox, Pause),
        *(Resume, Finish, Leave, Admit, Annul, Unplayed, Move),
    )
    for kind in get_args(shape.model_fields["kind"].annotation)
}


def parse(text: str) -> Told:
    """Read an entry; raises `BadEntry` if it is none that an arena writes."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or canonical(data) != text:
            raise BadEntry("it is not canonical JSON")
        kind = data.get("kind")
        shape = _SHAPES.get(kind) if isinstance(kind, str) else None
        if shape is None:
            raise BadEntry(f"there are no entries of the kind {str(kind)[:80]!r}")
        return shape.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise BadEntry(f"{where}: {first['msg']}") from error
    except BadEntry:
        raise
    except (ValueError, RecursionError) as error:
        raise BadEntry(f"it can't be read: {error}") from error
