"""The public value of a season: a number that is nobody's, fixed after the manifest.

Without one, an organiser can try many seeds in private and publish the hash of the one that gives
the winner that is wanted. With one, nobody knows the cards before everything else is fixed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from common.errors import UserError
from common.moments import from_iso, written

LONGEST = 200
"""The most characters of a public value."""

_BEACON = re.compile(r"[0-9a-f]{64}")


class BadPublicValue(UserError):
    """A public value can't be what its season waits for; the message says what it waits for."""


def wanted(source: Mapping[str, Any]) -> str:
    """Say what value a season waits for, in words for people."""
    if source["source"] == "drand":
        moment = published_at(source)
        return (
            f"the randomness of round {source['round']} of the drand chain {source['chain']},"
            f" published at {written(moment, exact=True)}"
        )
    if source["source"] == "nonces":
        return (
            f"the nonces of {', '.join(sorted(source['hashes']))}, to be shown by"
            f" {written(from_iso(source['until']), exact=True)}"
        )
    return f"the value drawn in public: {source.get('how', '')}"


def address(source: Mapping[str, Any]) -> str:
    """Where anybody can look the value up; nothing if only those present know it."""
    if source["source"] == "drand":
        return f"https://api.drand.sh/{source['chain']}/public/{source['round']}"
    return ""


def published_at(source: Mapping[str, Any]) -> datetime:
    """When a beacon publishes the round that its source names."""
    seconds = source["genesis"] + (source["round"] - 1) * source["period"]
    return datetime.fromtimestamp(seconds, UTC)


def first_round(genesis: int, period: int, after: datetime) -> int:
    """The number of the first round that a beacon publishes at this moment or later."""
    since = after - datetime.fromtimestamp(genesis, UTC)
    return max(1, -(-since // timedelta(seconds=period)) + 1)


def checked_value(text: str, source: Mapping[str, Any], now: datetime) -> str:
    """The value as it is stored, without blanks around it; raises `BadPublicValue`."""
    value = text.strip()
    if source["source"] == "nonces":
        raise BadPublicValue(
            f"the season waits for {wanted(source)}: expected a bot's name and its nonce"
        )
    if not value.isascii() or not value.isprintable() or not 1 <= len(value) <= LONGEST:
        raise BadPublicValue(
            f"{text[:80]!r} can't be a public value: expected 1 to {LONGEST} printable ASCII"
            f" characters, {wanted(source)}"
        )
    if source["source"] == "drand":
        value = value.lower()
        if not _BEACON.fullmatch(value):
            raise BadPublicValue(
                f"{text[:80]!r} is no randomness of drand: expected 64 hexadecimal digits,"
                f" {wanted(source)}"
            )
        if now < published_at(source):
            raise BadPublicValue(f"it is too early for {wanted(source)}")
    return value
