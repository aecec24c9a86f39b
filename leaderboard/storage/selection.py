"""The versions that a tournament's `entrants` mean, given the current store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.storage.curation import UnknownBot
from leaderboard.storage.entries import Version, tagged
from leaderboard.storage.store import Store


@dataclass(frozen=True, slots=True)
class Selected:
    """A version selected under the `name` that the settings use.

    `version` is None if there is no such bot or version, and `unknown` says so.
    """

    name: str
    version: Version | None
    unknown: UnknownBot | None = None

    def obstacle(self, game: str) -> str:
        """Why it can't be entered in a season of this game; empty if no reason is known."""
        if self.version is None:
            return "it has not been submitted yet"
        if self.version.withdrawn:
            return "it is withdrawn"
        return "" if game in self.version.games else "it does not play this game"


def selected(
    store: Store, game: str, entrants: str | Sequence[str] | Mapping[str, Sequence[str]]
) -> tuple[Selected, ...]:
    """Find the versions that settings mean, in the order of the line-up.

    `entrants` are "all", names such as davey or davey@3, or `{"tags": [...]}`. With "all" or tags
    it is the newest version of every bot that plays the game (and has one of these organiser's
    tags), and all of these can be entered; a version that is named may have an `obstacle`.
    """
    if not isinstance(entrants, str | Mapping):
        return tuple(_named(store, name) for name in entrants)
    versions: Sequence[Version] = store.latest(game)
    if isinstance(entrants, Mapping):
        versions = tagged(versions, entrants.get("tags", ()))
    return tuple(Selected(version.bot, version) for version in versions)


def _named(store: Store, name: str) -> Selected:
    try:
        return Selected(name, store.version(name))
    except UnknownBot as error:
        return Selected(name, None, error)
