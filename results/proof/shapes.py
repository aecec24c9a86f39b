"""What the members of a season's file must look like, whoever wrote it.

Texts may hold lone surrogates, which a bot can answer with, so they are only asked to be texts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf, StrictInt

from card_arena.common.moments import from_iso
from card_arena.results.proof.manifest import FORMAT, HASH, published_at
from card_arena.results.season_settings import SeasonSettings

Text = InstanceOf[str]
Switch = InstanceOf[bool]
Number = Annotated[StrictInt, Field(ge=-(2**62), le=2**62)]
Count = Annotated[StrictInt, Field(ge=0, le=2**62)]


def _moment(text: str) -> str:
    from_iso(text)
    return text


def _hash(text: str) -> str:
    if not HASH.fullmatch(text):
        raise ValueError("must be 64 lower-case hexadecimal digits")
    return text


Hash = Annotated[Text, AfterValidator(_hash)]
"""64 hexadecimal digits: a SHA-256, or a seed."""

Moment = Annotated[Text, AfterValidator(_moment)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Facts(_Shape):
    """`season.json`: the season's name, and what is public of its secrets by now.

    `seed` is in hexadecimal, None while the season runs; `head` is the hash of the ledger's last
    entry, `manifest` the manifest's. `key` says what the key of the deals is made from.
    """

    format: Number = FORMAT
    tournament: Text
    season: Count
    finished: Switch
    seed: Hash | None
    public_value: Text | None
    key: Literal["manifest", "seed"]
    manifest: Hash
    head: Hash


class NoValue(_Shape):
    """No public value."""

    source: Literal["none"]


class DrawnValue(_Shape):
    """A value drawn in public."""

    source: Literal["drawn"]
    how: Text


class BeaconValue(_Shape):
    """A beacon's value."""

    source: Literal["drand"]
    chain: Text
    genesis: Count
    period: Annotated[StrictInt, Field(ge=1)]
    round: Annotated[StrictInt, Field(ge=1)]


class NonceValue(_Shape):
    """A value made of what authors committed to, by bot."""

    source: Literal["nonces"]
    until: Moment
    hashes: dict[Text, Text]


AnyValue = NoValue | DrawnValue | BeaconValue | NonceValue


def _published(value: AnyValue) -> AnyValue:
    try:
        if isinstance(value, BeaconValue):
            published_at(value.model_dump())
    except (OverflowError, OSError) as error:
        raise ValueError("must be a round that is published in our time") from error
    return value


class EntrantShape(_Shape):
    """An entrant in `manifest.json`."""

    version: Number
    bot: Text
    number: Number
    author: Text
    digest: Text
    submitted: Moment
    sits_out: Text


class SeedShape(_Shape):
    """The seed in `manifest.json`."""

    sha256: Text
    source: Literal["made", "given by hand"]


class RulesShape(_Shape):
    """The game and the version of its rules in `manifest.json`."""

    game: Text
    version: Count


class ArenaShape(_Shape):
    """The program that wrote `manifest.json`."""

    version: Text
    revision: Text | None


class ManifestShape(_Shape):
    """`manifest.json`."""

    format: Number
    tournament: Text
    season: Count
    due: Moment
    settings: SeasonSettings
    entrants: list[EntrantShape]
    seed: SeedShape
    key: Literal["manifest", "seed"]
    previous: Text
    public_value: Annotated[AnyValue, AfterValidator(_published)]
    rules: RulesShape
    arena: ArenaShape


class RecordedFaultShape(_Shape):
    """A fault in a record."""

    kind: Text
    code: Text
    facts: dict[str, Any]
    struck: Switch


class TurnsShape(_Shape):
    """The turns of a record, column by column."""

    seat: list[Number]
    action: list[Text]
    question: list[Text]
    wall: list[Count]
    cpu: list[Count]
    peak: list[Count]
    answer: list[tuple[Count, Text | None]]
    fault: list[tuple[Count, RecordedFaultShape]]


class OverShape(_Shape):
    """How a game ended."""

    scores: list[Number]
    hands: list[Number]
    won: list[Number]
    purses: list[Number]
    shoe: list[Text] = []


class RecordShape(_Shape):
    """A record of one game."""

    format: Number
    game: Text
    version: Number
    options: dict[Text, Any]
    seats: Annotated[StrictInt, Field(ge=1, le=100)]
    purses: list[Number]
    turns: TurnsShape
    struck_out: list[Number]
    over: OverShape
    shoe: list[Text] = []
    prefixed: list[Number] = []


class MatchShape(_Shape):
    """A line of `matches.jsonl`."""

    key: Text
    leg: Number
    round: Number
    labels: list[Text]
    entrants: list[Number]
    sides: list[Number]
    seatings: list[list[Count]]
    records: list[RecordShape]


class PlacingShape(_Shape):
    """A placing in `standings.json`."""

    version: Number
    rank: Number
    points: float
    tie_breaks: list[tuple[Text, float]]


class StandingsShape(_Shape):
    """`standings.json`."""

    standings: list[PlacingShape]
    panels: list[dict[Text, Any]]
