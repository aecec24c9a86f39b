"""Parts of a tournament's settings: the clock, what a bot may use, strikes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    Tag,
    model_serializer,
    model_validator,
)

from common.faults import Fault
from common.units import Allowance, Days, Duration, Size
from formats.options import Count, Names, Part, Switch
from results.proof.manifest import NO_PUBLIC_VALUE, first_round, utc
from sandbox.guarantees import GUARANTEES
from sandbox.kernel.seccomp import permitted
from sandbox.limits import PROFILES, Clock, Limits
from tables.referee import Strikes


class ClockFields(Part):
    """How long a bot may think: for every answer, for the first one, and in a game.

    `bank` is for all answers of a game together; `overrun` is how late an occasional answer may be.
    """

    question: Duration = Clock().question
    start: Duration = Clock().start
    bank: Duration | None = Clock().bank
    overrun: Allowance = Clock().overrun

    def clock(self) -> Clock:
        """Convert to the clock of a box's player."""
        return Clock(**self.model_dump())


class LimitsFields(Part):
    """The resources that one bot may use; those left out are as in the `laptop` profile."""

    cpu: Duration = Limits().cpu
    memory: Size = Limits().memory
    processes: Count = Limits().processes
    scratch: Size = Limits().scratch
    line: Size = Limits().line
    output: Size = Limits().output
    stopped_between_turns: Switch = Limits().stopped_between_turns
    calls: tuple[Annotated[str, AfterValidator(permitted)], ...] = Limits().calls

    def limits(self) -> Limits:
        return Limits(**self.model_dump())


class StrikesFields(Part):
    """How many faults a seat may commit, and which kinds are recorded without a strike."""

    limit: Count = Strikes().limit
    forgiven: tuple[Fault, ...] = ()

    def strikes(self) -> Strikes:
        return Strikes(self.limit, frozenset(self.forgiven))


def _profile(value: object) -> object:
    """Expand a profile's name into its fields, so that a season keeps the numbers."""
    if not isinstance(value, str):
        return value
    if value not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}, or fields such as memory: 256MiB")
    return LimitsFields.model_construct(**asdict(PROFILES[value]))


ProfileOrFields = Annotated[LimitsFields, BeforeValidator(_profile)]
"""Limits as fields, or by the name of a profile."""


class Tagged(Part):
    """The newest version of every bot that these conditions leave.

    Bots that have at least one of the organiser's `tags`, and whose author is one of the `teams`;
    of each author, no more than the `per_team` that were handed in last. What is left out asks for
    nothing.
    """

    tags: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    teams: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    per_team: Count | None = None

    @model_validator(mode="after")
    def _chooses(self) -> Tagged:
        if not self.model_dump(exclude_none=True):
            raise ValueError("must have tags, teams or per_team")
        return self

    @model_serializer(mode="wrap")
    def _without_what_is_left_out(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {key: value for key, value in write(self).items() if value is not None}


def _entrants_kind(value: object) -> str | None:
    if value == "all":
        return "all"
    if isinstance(value, list | tuple):
        return "names"
    return "tagged" if isinstance(value, Mapping | Tagged) else None


Entrants = Annotated[
    Annotated[Literal["all"], Tag("all")]
    | Annotated[Names, Tag("names")]
    | Annotated[Tagged, Tag("tagged")],
    Discriminator(
        _entrants_kind,
        custom_error_type="entrants",
        custom_error_message="must be all, a list of bots' names, or {tags: [...]}",
    ),
]

STOPPING = frozenset({"stopped-between-turns", "stopped-surely"})
"""The guarantee that can't be required when bots may think on their opponents' time."""


def _guarantee(name: str) -> str:
    if name not in GUARANTEES and name != "usual":
        raise ValueError(
            f"must be one of {', '.join(GUARANTEES)}, or usual for the usual guarantees"
        )
    return name


def _required_kind(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "names"
    return "word" if value in ("usual", "all") else None


if TYPE_CHECKING:
    Required = tuple[str, ...]
else:
    Required = Annotated[
        Annotated[Literal["usual", "all"], Tag("word")]
        | Annotated[tuple[Annotated[str, AfterValidator(_guarantee)], ...], Tag("names")],
        Discriminator(
            _required_kind,
            custom_error_type="required",
            custom_error_message="must be usual, all, or a list of what `arena doctor` lists",
        ),
    ]


def _runtime_name(name: str) -> str:
    if not re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?", name):
        raise ValueError("must be the name of a runtime that Docker's engine has, such as runsc")
    return name


Runtime = Annotated[str, AfterValidator(_runtime_name)]
"""The name of a runtime of Docker's engine; empty for its default one."""


Digits = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
How = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True)]


class Chain(Part):
    """A chain of the beacon: its hash, the Unix time of its first round, seconds between rounds."""

    chain: Digits
    genesis: Annotated[int, Field(strict=True, ge=1)]
    period: Annotated[int, Field(strict=True, ge=1, le=86_400)]


CHAINS: Mapping[str, Chain] = {
    "quicknet": Chain(
        chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        genesis=1_692_803_367,
        period=3,
    ),
    "default": Chain(
        chain="8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        genesis=1_595_431_050,
        period=30,
    ),
}
"""The League of Entropy's chains, as https://api.drand.sh/<chain>/info describes them."""


class PublicValue(Part):
    """A value that nobody knows when a season begins: `drawn` in public, or of a beacon, `drand`.

    `drawn` says how it is drawn, in words for those who were not there. `drand` is a chain, by name
    or in full; its round is the first one that is published `delay` after the season has begun.
    With `nonces`, authors have so long after the beginning to show what they gave the hashes of.
    """

    drawn: How | None = None
    drand: Literal["quicknet", "default"] | Chain | None = None
    delay: Duration = 600.0
    nonces: Days | None = None

    @model_validator(mode="after")
    def _has_one_source(self) -> PublicValue:
        if [self.drawn, self.drand, self.nonces].count(None) != 2:
            raise ValueError("must give one of drawn, drand and nonces")
        return self


def source(
    wanted: PublicValue | None, began: datetime, hashes: Mapping[str, str]
) -> Mapping[str, Any]:
    """Say where the public value of a season that begins now is to come from, for its manifest.

    `hashes` are those of the nonces that came with the bots that play, by the bots' names.
    """
    if wanted is None:
        return NO_PUBLIC_VALUE
    if wanted.nonces is not None:
        until = began.replace(microsecond=0) + timedelta(seconds=wanted.nonces)
        return {"source": "nonces", "until": utc(until), "hashes": dict(hashes)}
    if wanted.drand is None:
        return {"source": "drawn", "how": wanted.drawn}
    chain = wanted.drand if isinstance(wanted.drand, Chain) else CHAINS[wanted.drand]
    after = began + timedelta(seconds=wanted.delay)
    return {
        "source": "drand",
        **chain.model_dump(),
        "round": first_round(chain.genesis, chain.period, after),
    }
