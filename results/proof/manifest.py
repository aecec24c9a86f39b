"""The manifest: all that decides a season besides chance and bots, in one hashed text.

It is canonical JSON, made when the season begins, and its SHA-256 is published before the first
card. The key of the deals is made from it, so whoever changes it afterwards changes every pack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from card_arena.common.errors import UserError
from card_arena.common.json import canonical, sha256
from card_arena.common.moments import from_iso, to_iso, written
from card_arena.formats.field import Listed
from card_arena.results.season_settings import SeasonSettings
from card_arena.tables.dealing import commitment, dealing_key

FORMAT = 1
"""The version of the manifest, the ledger and the season file, raised with every change."""

KeyFrom = Literal["manifest", "seed"]
"""What the key of the deals is made from: all three, or the seed alone."""

NO_PUBLIC_VALUE: Mapping[str, Any] = {"source": "none"}


def utc(moment: datetime) -> str:
    """Write a moment as manifests and ledgers do: in UTC, such as `2026-11-27T20:00:00Z`."""
    return to_iso(moment).replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a season is played by, before its number and its line-up are known.

    `arena` is the program's version and its git revision, if there is one; `rules` the game and the
    version of its rules. `public_value` says where the season's public value is to come from.
    """

    settings: SeasonSettings
    rules: Mapping[str, Any]
    arena: Mapping[str, Any]
    public_value: Mapping[str, Any]


class BadManifest(ValueError):
    """A text is not a manifest that this arena can read; the message says why."""


@dataclass(frozen=True)
class Manifest:
    """A season's manifest as it was published: its exact text, and what its data."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """The hash that is published before the first card."""
        return sha256(self.text)

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """What it says, as plain data; raises `BadManifest`."""
        try:
            data = json.loads(self.text)
            version = data["format"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise BadManifest(f"the manifest can't be read: {error}") from error
        if version != FORMAT:
            raise BadManifest(
                f"the manifest is written in format {version}, this arena reads format {FORMAT}"
            )
        return dict(data)

    @cached_property
    def entrants(self) -> Sequence[Listed]:
        """The line-up, in order; raises `BadManifest`."""
        try:
            return [Listed(**entrant) for entrant in self.data["entrants"]]
        except (LookupError, TypeError) as error:
            raise BadManifest(f"the manifest's entrants can't be read: {error}") from error

    @property
    def public_value(self) -> Mapping[str, Any]:
        """Where the season's public value was to come from."""
        return dict(self.data["public_value"])


def made_manifest(
    terms: Terms,
    *,
    tournament: str,
    season: int,
    due: datetime,
    entrants: Sequence[Listed],
    seed: bytes,
    given: bool,
    previous: str,
) -> Manifest:
    """Make the manifest of a season that is about to begin.

    `given` says that the seed was chosen by hand and not made by the arena: then the same cards are
    wanted again, so the key is the seed alone, unless a public value is to come. `previous` is the
    hash of the ledger's last entry.
    """
    alone = given and terms.public_value == NO_PUBLIC_VALUE
    return Manifest(
        canonical(
            {
                "settings": terms.settings.data(),
                "rules": dict(terms.rules),
                "arena": dict(terms.arena),
                "public_value": dict(terms.public_value),
                "format": FORMAT,
                "tournament": tournament,
                "season": season,
                "due": utc(due),
                "entrants": [asdict(entrant) for entrant in entrants],
                "seed": {
                    "sha256": commitment(seed),
                    "source": "given by hand" if given else "made",
                },
                "key": "seed" if alone else "manifest",
                "previous": previous,
            }
        )
    )


def key_of_deals(seed: bytes, key_from: KeyFrom, manifest: str, public_value: str | None) -> bytes:
    """The key from which a season is dealt and drawn; `manifest` is its manifest's SHA-256."""
    if key_from == "seed":
        return seed
    return dealing_key(seed, manifest, public_value or "")


# The public value of a season: a number that is nobody's, fixed after the manifest.
#
# Without one, an organiser can try many seeds in private and publish the hash of the one that
# gives the winner that is wanted. With one, nobody knows the cards before everything else is
# fixed.


LONGEST = 200
"""The most characters of a public value."""

HASH = re.compile(r"[0-9a-f]{64}")


class BadPublicValue(UserError):
    """A public value can't be what its season waits for; the message says what it waits for."""


def awaited_value(source: Mapping[str, Any]) -> str:
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
            f"the season waits for {awaited_value(source)}: expected a bot's name and its nonce"
        )
    if not value.isascii() or not value.isprintable() or not 1 <= len(value) <= LONGEST:
        raise BadPublicValue(
            f"{text[:80]!r} can't be a public value: expected 1 to {LONGEST} printable ASCII"
            f" characters, {awaited_value(source)}"
        )
    if source["source"] == "drand":
        value = value.lower()
        if not HASH.fullmatch(value):
            raise BadPublicValue(
                f"{text[:80]!r} is no randomness of drand: expected 64 hexadecimal digits,"
                f" {awaited_value(source)}"
            )
        if now < published_at(source):
            raise BadPublicValue(f"it is too early for {awaited_value(source)}")
    return value
