"""Opponents of a game by their measured strength, and stored boards that a person can play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from card_arena.exhibitions.entries import Board, NewTable, Refused, SeatedBot
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.models import RatingShape
from card_arena.leaderboard.plans import reasons_not_built
from card_arena.leaderboard.standings import Standing, standings
from card_arena.leaderboard.tournaments import tournaments
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.tables.legal_actions import Order
from card_arena.tables.referee import replay
from card_arena.tables.registry import game as game_of

Item = TypeVar("Item")

MOST_LEVELS = 5

CONDITIONS = (
    *("clock", "limits", "strikes"),
    *("sandbox", "runtime", "images", "wheels", "require"),
)
"""The settings of a tournament that hold for bots at a table as well."""


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent of a game.

    `rating` is its strength with its interval, in the season of `tournament`; None where none has
    been measured. The strongest one is the champion.
    """

    bot: SeatedBot
    title: str
    rating: RatingShape | None
    tournament: str = ""
    champion: bool = False


def levels(store: Store, game: str, most: int = MOST_LEVELS) -> tuple[Level, ...]:
    """At most so many opponents of a game, the weakest first, spread evenly over their order.

    The order is that of the ratings in the newest rated season of this game. Without any rating it
    is that of the bots' names, without those that could not be built, and there is no champion.
    """
    active = {version.id: version for version in store.latest(game)}
    for tournament, _, lines in _rated(store, game):
        # ratings can be compared within a group only
        lines = [
            line
            for line in lines
            if line.version_id in active and active[line.version_id].bot == line.bot  # not masked
        ]
        if not lines:
            continue
        largest = Counter(line.group for line in lines).most_common(1)[0][0]
        rated = [(line.rating.mu, line) for line in lines if line.group == largest and line.rating]
        ordered = [line for _, line in sorted(rated, key=lambda pair: (pair[0], pair[1].bot))]
        return tuple(
            Level(
                SeatedBot(f"{line.bot} v{line.version}", line.version_id),
                active[line.version_id].title or line.bot,
                line.rating,
                tournament,
                champion=line is ordered[-1],
            )
            for line in _spread(ordered, most)
        )
    with store.database.reading() as session:
        not_built = reasons_not_built(session, active)
    playing = [version for number, version in active.items() if number not in not_built]
    return tuple(
        Level(SeatedBot(version.label, version.id), version.title or version.bot, None)
        for version in _spread(playing, most)
    )


def conditions(store: Store, game: str) -> Mapping[str, Any]:
    """The bots' clock, limits and sandbox at a table: those of the game's newest season, if any."""
    settings = newest_settings(store, game)
    return bot_conditions(settings) if settings else {}


def newest_settings(store: Store, game: str) -> SeasonSettings | None:
    """The settings of a game's newest season, if any."""
    return next((line.settings for line in tournaments(store) if line.game == game), None)


def bot_conditions(settings: SeasonSettings) -> Mapping[str, Any]:
    """The settings of a season that hold for bots at a table as well."""
    data = settings.data()
    return {name: data[name] for name in CONDITIONS if data[name] is not None}


def board_table(store: Store, key: str, game: int, seat: int) -> NewTable:
    """A table at which a person plays the seat of a stored board against the bots of that game.

    `game` is the number of the match's game, from 1. The packs of its record are dealt first. The
    bot that sat in the person's seat replaces an absent person. Raises `UnknownMatch`, and
    `Refused` for a board that can't be played so.
    """
    match = read_match(store, key)
    if not 1 <= game <= len(match.records):
        raise Refused(f"Match {key} has games 1 to {len(match.records)}, no game {game}.")
    record = match.records[game - 1]
    if record.purses or record.shoe:
        raise Refused(f"Game {game} of {key} began with chips or cards of an earlier one.")
    if not 0 <= seat < record.seats:
        raise Refused(f"Game {game} of {key} has seats 0 to {record.seats - 1}.")
    rules = game_of(record.game)
    packs = tuple(
        step.turn.action
        for step in replay(rules, record)
        if isinstance(step.before.legal_actions(step.turn.seat), Order)
    )
    at_table = match.at_table(game - 1)
    versions = [store.version(f"{entrant.bot}@{entrant.version}") for entrant in at_table]
    bots = tuple(SeatedBot(version.label, version.id) for version in versions)
    return NewTable(
        game=record.game,
        bots=bots,
        seat=seat,
        options=record.options,
        conditions=conditions(store, record.game),
        hints=next((level.bot for level in levels(store, record.game) if level.champion), None),
        board=Board(key, game, seat, bots[seat].label, record.over.scores[seat], packs),
    )


def _rated(store: Store, game: str) -> Iterator[tuple[str, int, Sequence[Standing]]]:
    """The seasons of a game with ratings: the newest two of each tournament, the latest first."""
    for line in tournaments(store):
        if line.game != game or not line.rated:
            continue
        for number in range(line.season, max(0, line.season - 2), -1):
            rows = [row for row in standings(store, line.name, number).standings if row.rating]
            if rows:
                yield line.name, number, rows


def _spread(items: Sequence[Item], most: int) -> Sequence[Item]:
    """At most so many of the items, the first and the last among them, evenly spread."""
    if len(items) <= most:
        return items
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]
