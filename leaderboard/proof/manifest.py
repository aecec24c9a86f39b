"""The manifest: all that decides a season besides chance and bots, in one hashed text.

It is canonical JSON, made when the season begins, and its SHA-256 is published before the first
card. The key of the deals is made from it, so whoever changes it afterwards changes every pack.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from common.canonical_json import canonical, sha256
from common.moments import to_iso
from leaderboard.season_settings import SeasonSettings
from tables.dealing import commitment, dealing_key

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


@dataclass(frozen=True, slots=True)
class Listed:
    """An entrant in a manifest; `version` is the number that matches and standings call it by.

    `digest` is the SHA-256 of its bundle, `sits_out` the reason if it does not play.
    """

    version: int
    bot: str
    number: int
    author: str
    digest: str
    submitted: str
    sits_out: str

    @property
    def label(self) -> str:
        """The entrant's name for people: "davey v3"."""
        return f"{self.bot} v{self.number}"


class BadManifest(ValueError):
    """A text is not a manifest that this arena can read; the message says why."""


@dataclass(frozen=True)
class Manifest:
    """A season's manifest as it was published: its exact text, and what it says."""

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
            written = data["format"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise BadManifest(f"the manifest can't be read: {error}") from error
        if written != FORMAT:
            raise BadManifest(
                f"the manifest is written in format {written}, this arena reads format {FORMAT}"
            )
        return dict(data)

    @cached_property
    def entrants(self) -> Sequence[Listed]:
        """The line-up, in order; raises `BadManifest`."""
        try:
            return [Listed(**each) for each in self.data["entrants"]]
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
