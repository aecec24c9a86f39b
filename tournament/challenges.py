"""Challenges: a version of a bot against another bot, as an unrated season of its own.

The challenges of a bot are the seasons of a tournament of its own, `challenges-davey`, so their
results, replays and proofs are those of any season. As the seasons of any tournament they follow
each other: a bot challenges again when its last challenge is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from card_arena.common.errors import UserError
from card_arena.leaderboard.levels import conditions, levels, newest_settings
from card_arena.results.entries import CHALLENGES, Entrant, Season, Version
from card_arena.results.store import Store
from card_arena.tables.registry import game as game_of
from card_arena.tournament.exhibition import entrants_of
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.settings import settings_of


class CantChallenge(UserError):
    """A challenge can't be played; the message says why."""


def begin_challenge(
    store: Store, own: Version, other: Version, game: str, boards: int, asked: datetime
) -> Season:
    """Begin a challenge of `own` to `other` that was requested at `asked`, once.

    Each board is a match. At a table for three or more bots alone, the strongest other bots hold
    the remaining seats. Without a `game` it is the only one that both play. Raises `CantChallenge`.
    """
    name = f"{CHALLENGES}{own.bot}"
    if begun := store.seasons(name, due=asked):
        return begun[0]
    game = game or _only_game(own, other)
    for version in (own, other):
        if obstacle := obstacle_to(store, version, game):
            raise CantChallenge(f"{version.label} can't play: it {obstacle}")
    if own.id == other.id:
        raise CantChallenge(f"{own.label} can't challenge itself: choose another bot or version")
    for under_way in store.open_challenges(name):
        raise CantChallenge(
            f"{own.bot} plays a challenge already, /t/{name}/{under_way.number}: wait for its end"
        )
    rules, season = game_of(game), newest_settings(store, game)
    table = {
        "name": name,
        "game": game,
        "format": {"contest": {"legs": 1, "rounds": boards, "points": "mean"}},
        "options": {**(season.options if season else {}), **rules.fixed_stakes},
        "duplicate": rules.statistics.rotation_helps,
        "unrated": True,
        **conditions(store, game),
    }
    possible = entrants_of(settings_of(table))
    seats = min(number for number in possible if number >= 2)
    bots = [own, other, *_others(store, game, {own.id, other.id})][:seats]
    if len(bots) < seats:
        raise CantChallenge(f"a table of {game} needs {seats} bots: there is no third one here")
    settings = settings_of(
        {
            **table,
            **possible[seats],
            "entrants": [f"{version.bot}@{version.number}" for version in bots],
        }
    )
    return begin(store, settings, [Entrant(version.id, "") for version in bots], asked)


def obstacle_to(store: Store, version: Version, game: str) -> str:
    """Why a version can't play a game now, as "it ..."; empty if it can."""
    build = store.build(version.id)
    if game not in version.games:
        return f"does not play {game}"
    if version.withdrawn is not None:
        return "is withdrawn"
    if store.on_probation([version.id]):
        return "is on probation"
    if build is None or not build.ok:
        return f"was not built: {build.reason if build else 'it was never tried'}"
    return ""


def _only_game(own: Version, other: Version) -> str:
    common = [game for game in own.games if game in other.games]
    if not common:
        raise CantChallenge(
            f"{own.label} plays {', '.join(own.games)}, and {other.label}"
            f" {', '.join(other.games)}: they have no game in common"
        )
    if len(common) > 1:
        raise CantChallenge(f"both bots play {' and '.join(common)}: name one of these games")
    return common[0]


def _others(store: Store, game: str, taken: set[int]) -> Sequence[Version]:
    """The other bots that can play, the strongest first."""
    ids = [level.bot.version_id for level in reversed(levels(store, game))]
    known = store.versions([number for number in ids if number and number not in taken])
    return [version for version in known.values() if not obstacle_to(store, version, game)]
