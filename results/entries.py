"""The participants: versions of bots, and the seasons that they are entered in.

All datetimes are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from card_arena.ratings.same_contest import Contest
from card_arena.results.proof.manifest import KeyFrom, key_of_deals
from card_arena.results.season_settings import SeasonSettings
from card_arena.tables.dealing import commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """What a bundle's bot.yaml says, and the digest that names its content.

    Two bundles with the same digest are the same program. `tags` are the author's, and only shown.
    """

    games: tuple[str, ...]
    protocol: str
    language: str
    about: str
    tags: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission(BundleFacts):
    """A bundle as it comes in; `archive` is its packed folder."""

    name: str
    archive: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(BundleFacts):
    """One bundle of a bot, as it was submitted; `number` counts from 1 within the bot.

    `organiser_tags` are the organiser's for all versions of the bot, and tournaments choose by
    them. `withdrawn` is the time since which no version of the bot enters a new season. `title` is
    shown beside the bot's name; `chosen` is the number of the version that new seasons enter, None
    for the newest.
    """

    id: int
    bot: str
    number: int
    author: str
    submitted: datetime
    withdrawn: datetime | None = None
    organiser_tags: tuple[str, ...] = ()
    title: str = ""
    chosen: int | None = None

    @property
    def label(self) -> str:
        """The version's name for people: "davey v3"."""
        return f"{self.bot} v{self.number}"


def tagged(versions: Iterable[Version], tags: Iterable[str]) -> list[Version]:
    """Choose the versions that have at least one of these tags."""
    chosen = {*tags}
    return [version for version in versions if chosen & {*version.organiser_tags}]


@dataclass(frozen=True, slots=True)
class Build:
    """The outcome of building a version: `reason` is why it failed, `log` the tools' output."""

    ok: bool
    reason: str
    log: str
    built: datetime


@dataclass(frozen=True, slots=True)
class Entrant:
    """A version in a season's line-up; `sits_out` is the reason if it does not play."""

    version_id: int
    sits_out: str = ""


CHALLENGES = "challenges-"
"""What the names of the tournaments of challenges begin with; the rest is the challenger's."""


@dataclass(frozen=True, slots=True)
class Season:
    """One playing of a tournament; `number` counts from 1 within the tournament.

    `settings` are the tournament's when the season began, and `rated` is what they say about
    ratings, as queries know it. `seed` is secret until the season is finished. `manifest` is its
    manifest's SHA-256, and `key_from` says from what the key of its deals is made. `rules` is the
    version of the game's rules. `value_from` says where its public value is to come from, None if
    it has none, and `public_value` is that value once it is known. One that is `annulled` counts
    for nothing beyond itself.
    """

    id: int
    tournament: str
    number: int
    settings: SeasonSettings
    rated: bool
    seed: bytes = field(repr=False)
    due: datetime
    started: datetime
    finished: datetime | None
    manifest: str
    key_from: KeyFrom
    rules: int
    value_from: Mapping[str, Any] | None = None
    public_value: str | None = None
    annulled: bool = False

    @property
    def contest(self) -> Contest:
        return self.settings.contest(self.rules)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed in hex, public from the start."""
        return commitment(self.seed)

    @property
    def key(self) -> bytes:
        """The key from which its packs are dealt and its lots drawn: as secret as the seed."""
        return key_of_deals(self.seed, self.key_from, self.manifest, self.public_value)

    @property
    def awaits_value(self) -> bool:
        """Whether it can't be dealt before its public value is known."""
        return self.value_from is not None and self.public_value is None
