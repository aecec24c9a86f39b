"""The ledger: what happened in a tournament, each entry with the hash of the one before.

So nobody can change, drop or insert an entry without changing the hash of every later one. A saved
hash of the last entry, the head, shows later whether the entries up to it are unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
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

from card_arena.common.json import canonical, first_error, sha256
from card_arena.common.moments import from_iso
from card_arena.formats.interventions import InterventionKind
from card_arena.results.proof.manifest import HASH, LONGEST, BadPublicValue, utc
from card_arena.results.proof.shapes import Count, EntrantShape, Hash, Text

FIRST = "0" * 64
"""Stands for the hash of the entry before the first one."""

Kind = (
    Literal["announce", "begin", "nonce", "unshown", "value", "attempt", "match", "void", "trial"]
    | Literal["no sandbox", "pause", "resume", "finish", "move"]
    | InterventionKind
)

LONGEST_VOID = 1000
"""The most characters of the reason why a match is void, which names the bots that ran."""


@dataclass(frozen=True)
class Entry:
    """One entry: its exact text, which is hashed, and its data."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """The hash that the next entry names."""
        return sha256(self.text)

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """Its plain data; empty if it can't be read."""
        try:
            data = json.loads(self.text)
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}

    @property
    def kind(self) -> str:
        return str(self.data.get("kind", ""))

    @property
    def season(self) -> int | None:
        """The number of the season that it tells of."""
        return self.data.get("season")

    def __getitem__(self, name: str) -> Any:
        """One of the facts that entries of its kind have; None if it is missing."""
        return self.data.get(name)


def written(
    kind: Kind, *, number: int, previous: str, season: int, time: datetime, **facts: object
) -> Entry:
    """Write the entry that follows the one whose hash is `previous`; `number` counts from 1."""
    return Entry(
        canonical(
            {
                "kind": kind,
                "number": number,
                "previous": previous,
                "season": season,
                "time": utc(time.replace(microsecond=0)),
                **facts,
            }
        )
    )


def wrong_link(entry: Entry, number: int, previous: str) -> str:
    """Say why an entry is not the one of this number, after one with this hash; empty if it is."""
    if entry["number"] != number:
        return (
            f"the ledger was rewritten: its entry {number} calls itself {entry['number']},"
            " so entries were left out or put in"
        )
    if entry["previous"] != previous:
        return (
            f"the ledger was rewritten: entry {number} follows an entry with the hash"
            f" {entry['previous']}, but the one before it has {previous}"
        )
    return ""


Number = Annotated[StrictInt, Field(ge=1, le=2**62)]

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class BadEntry(ValueError):
    """An entry is none that an arena writes; the message says what is wrong with it."""


def _time(text: str) -> str:
    if not _TIME.fullmatch(text):
        raise ValueError("must be a time such as 2026-11-27T20:00:00Z")
    from_iso(text)
    return text


Time = Annotated[Text, AfterValidator(_time)]


class ParsedEntry(BaseModel):
    """An entry of any kind. Fields with None are not in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: ClassVar[str]
    """Its subject, in a few words."""

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


class Announce(ParsedEntry):
    """The hash of a season's seed."""

    title = "an announcement of the seed"
    kind: Literal["announce"]
    sha256: Hash


class Begin(ParsedEntry):
    """A season began; `sha256` is that of its manifest."""

    title = "its beginning"
    kind: Literal["begin"]
    sha256: Hash


class Nonce(ParsedEntry):
    """A bot's nonce was shown."""

    title = "a nonce"
    kind: Literal["nonce"]
    bot: Text
    nonce: Text


class Unshown(ParsedEntry):
    """These bots' nonces were not shown in time."""

    title = "missing nonces"
    kind: Literal["unshown"]
    bots: Annotated[list[Text], Field(min_length=1)]


class Value(ParsedEntry):
    """A season's public value."""

    title = "its public value"
    kind: Literal["value"]
    value: Text


class Attempt(ParsedEntry):
    """These matches are about to be played."""

    title = "an attempt"
    kind: Literal["attempt"]
    keys: Annotated[list[Text], Field(min_length=1)]


class Match(ParsedEntry):
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


class Void(ParsedEntry):
    """An attempt that counts for nothing."""

    title = "a void attempt"
    kind: Literal["void"]
    key: Text
    reason: Text


class Trial(ParsedEntry):
    """A version is about to be tried alone at a match's table."""

    title = "a trial"
    kind: Literal["trial"]
    key: Text
    version: Number


class NoSandbox(ParsedEntry):
    """A version gets no sandbox, in a match or in the rest of the season."""

    title = "a bot without a sandbox"
    kind: Literal["no sandbox"]
    version: Number
    reason: Text
    key: Text | None = None


class Pause(ParsedEntry):
    """A season is no longer played."""

    title = "a pause"
    kind: Literal["pause"]
    reason: Text


class Resume(ParsedEntry):
    """A season is played on."""

    title = "a resumption"
    kind: Literal["resume"]


class Finish(ParsedEntry):
    """A season is over; `sha256` is that of its standings."""

    title = "its end"
    kind: Literal["finish"]
    matches: Count
    sha256: Hash


class Intervened(ParsedEntry):
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


class Move(ParsedEntry):
    """A bot has another name or another author."""

    title = "a bot's move"
    kind: Literal["move"]
    bot: Text
    author: Text
    to_bot: Text
    to_author: Text
    reason: Text


_SHAPES: Mapping[str, type[ParsedEntry]] = {
    kind: shape
    for shape in (
        *(Announce, Begin, Nonce, Unshown, Value, Attempt, Match, Void, Trial, NoSandbox, Pause),
        *(Resume, Finish, Leave, Admit, Annul, Unplayed, Move),
    )
    for kind in get_args(shape.model_fields["kind"].annotation)
}


def parse(text: str) -> ParsedEntry:
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
        raise BadEntry(first_error(error)) from error
    except BadEntry:
        raise
    except (ValueError, RecursionError) as error:
        raise BadEntry(f"it can't be read: {error}") from error


def match_line(
    *,
    key: str,
    leg: int,
    round: int,
    labels: Sequence[str],
    entrants: Sequence[int],
    sides: Sequence[int],
    seatings: Sequence[Sequence[int]],
    records: Sequence[str],
) -> str:
    """Write a match: its place, its entrants' version ids and sides, and each game's seats and
    record.

    `records` are the canonical JSON of what `Record.to_data` gives. They are put into that of the
    match as they are, so nobody reads and writes them again.
    """
    before = canonical({"entrants": list(entrants), "key": key, "labels": list(labels), "leg": leg})
    after = canonical(
        {
            "round": round,
            "seatings": [list(seating) for seating in seatings],
            "sides": list(sides),
        }
    )
    return f'{before[:-1]},"records":[{",".join(records)}],{after[1:]}'


# Nonces: a public value made of texts that authors chose, each known by its hash alone at first.
#
# An author submits the SHA-256 of a text with a bot. When the season begins, all hashes go into
# its manifest; then everybody shows the text. As long as one author kept it secret until then,
# nobody could know the value before. Whoever shows last can still choose between two values, by
# showing or not; and an organiser who leaves out what was shown is found by its author alone.


def checked_hash(text: str) -> str:
    """The hash of a nonce as it is stored; raises `BadPublicValue`."""
    digest = text.strip().lower()
    if not HASH.fullmatch(digest):
        raise BadPublicValue(
            f"{text[:80]!r} is no SHA-256 of a nonce: expected 64 hexadecimal digits, such as"
            " `printf %s 'YOUR TEXT' | sha256sum` prints"
        )
    return digest


def checked_nonce(bot: str, text: str, source: Mapping[str, Any]) -> str:
    """Return a nonce that was shown; raises `BadPublicValue` if it is not the submitted one."""
    if source["source"] != "nonces":
        raise BadPublicValue("this season waits for no nonces: expected one value")
    if bot not in source["hashes"]:
        raise BadPublicValue(
            f"no nonce of {bot[:80]!r} went into this season: expected one of"
            f" {', '.join(sorted(source['hashes']))}"
        )
    if not text.isascii() or not text.isprintable() or not 1 <= len(text) <= LONGEST:
        raise BadPublicValue(
            f"{text[:80]!r} can't be a nonce: expected 1 to {LONGEST} printable ASCII characters"
        )
    if sha256(text) != source["hashes"][bot]:
        raise BadPublicValue(
            f"that is not the nonce of {bot}: its SHA-256 is {sha256(text)}, but"
            f" {source['hashes'][bot]} was submitted (`printf %s` hashes no line feed, `echo` does)"
        )
    return text


def value_of(shown: Mapping[str, str]) -> str:
    """The public value: the SHA-256 of a line for each bot, in order of name, with its nonce."""
    return sha256("".join(f"{bot} {shown[bot]}\n" for bot in sorted(shown)))


def wrong_nonces(source: Mapping[str, Any], ledger: Sequence[Entry], season: int) -> Iterator[str]:
    """Say what is wrong with the nonces that a ledger tells of, and the value made of them."""
    entries = [entry for entry in ledger if entry.season == season]
    kinds = [entry.kind for entry in entries]
    shown: dict[str, str] = {}
    for entry in entries:
        if entry.kind != "nonce":
            continue
        bot, text = str(entry["bot"]), str(entry["nonce"])
        if bot in shown:
            yield f"the ledger tells twice of a nonce of {bot}"
        shown[bot] = text
        submitted = source["hashes"].get(bot)
        if submitted is None:
            yield f"a nonce of {bot} was put in: by the manifest none was submitted"
        elif not text.isascii() or sha256(text) != submitted:
            yield f"the nonce of {bot} was swapped: its SHA-256 is not the submitted {submitted}"
    if "value" not in kinds:
        return
    made = entries[kinds.index("value")]
    if "nonce" in kinds[kinds.index("value") :]:
        yield "a nonce was shown after the public value was made"
    missing = sorted({*source["hashes"]} - {*shown})
    left_out = [entry["bots"] for entry in entries if entry.kind == "unshown"]
    if left_out != [missing] * bool(missing):
        yield (
            "a nonce was dropped: the ledger tells of none, and not that it was left out, of"
            f" {', '.join(missing) or 'nobody'}"
        )
    if missing and not _is_over(source["until"], made["time"]):
        yield (
            f"the public value was made before {source['until']}, when"
            f" {', '.join(missing)} could still have shown a nonce"
        )
    lines = {bot: text for bot, text in shown.items() if f"{bot}{text}".isascii()}
    if made["value"] != value_of(lines):
        yield f"the public value is {made['value']}, but the nonces give {value_of(lines)}"


def _is_over(until: str, time: object) -> bool:
    """Whether a moment, as a ledger has it, is at `until` or after."""
    try:
        return from_iso(str(time)) >= from_iso(until)
    except (ValueError, TypeError):  # no moment, or one without a time zone
        return False
