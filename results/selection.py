"""The versions that a tournament's `entrants` mean, given the current store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from results.bots import UnknownBot
from results.entries import Version, tagged
from results.store import Store


@dataclass(frozen=True, slots=True)
class Selected:
    """A version selected under the `name` that the settings use.

    `version` is None if there is no such bot or version, and `unknown` says so. `too_many` says why
    it sits out though it is entered.
    """

    name: str
    version: Version | None
    unknown: UnknownBot | None = None
    too_many: str = ""

    def obstacle(self, game: str) -> str:
        """Why it can't be entered in a season of this game; empty if no reason is known."""
        if self.version is None:
            return "it has not been submitted yet"
        if self.version.withdrawn:
            return "it is withdrawn"
        return self.too_many if game in self.version.games else "it does not play this game"


def selected(
    store: Store, game: str, entrants: str | Sequence[str] | Mapping[str, Any]
) -> tuple[Selected, ...]:
    """Find the versions that settings mean, in the order of the line-up.

    `entrants` are "all", names such as davey or davey@3, or `{"tags": [...]}`. With "all" or tags
    it is the active version of every bot that plays the game (and has one of these organiser's
    tags), and all of these can be entered; a version that is named may have an `obstacle`.
    """
    if not isinstance(entrants, str | Mapping):
        return tuple(_named(store, name) for name in entrants)
    versions: Sequence[Version] = store.latest(game)
    if isinstance(entrants, Mapping):
        if entrants.get("tags"):
            versions = tagged(versions, entrants["tags"])
        if entrants.get("teams"):
            versions = [each for each in versions if each.author in entrants["teams"]]
        if entrants.get("per_team"):
            return _capped(versions, entrants["per_team"])
    return tuple(Selected(version.bot, version) for version in versions)


def _capped(versions: Sequence[Version], most: int) -> tuple[Selected, ...]:
    """All of these; those of an author that come after `most` newer ones sit out."""
    newest_first = sorted(versions, key=lambda each: (each.submitted, each.id), reverse=True)
    plays: dict[str, list[str]] = {}
    for version in newest_first:
        mine = plays.setdefault(version.author, [])
        if len(mine) < most:
            mine.append(version.bot)
    return tuple(
        Selected(
            version.bot,
            version,
            too_many=""
            if version.bot in plays[version.author]
            else f"{most} {'bot' if most == 1 else 'bots'} of a team can play, and"
            f" {' and '.join(plays[version.author])} of {version.author} came later",
        )
        for version in versions
    )


def _named(store: Store, name: str) -> Selected:
    try:
        return Selected(name, store.version(name))
    except UnknownBot as error:
        return Selected(name, None, error)
