"""Where a season's public value comes from, as an organiser writes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from common.units import Days, Duration
from leaderboard.proof.manifest import NO_PUBLIC_VALUE, utc
from leaderboard.proof.public_value import first_round
from tournament.fields import Part

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
