"""What the API reads, each with its address, its reader and its model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, Field
from werkzeug.exceptions import NotFound

from leaderboard import bots, matches, seasons, standings
from leaderboard.matches import GameDetail, MatchDetail, Matches
from leaderboard.seasons import Interventions
from leaderboard.shapes.base import PageShape
from leaderboard.web.api.answers import NUMBER, PageQuery, as_json, for_ever, one_page
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site
from results.store import Store


class MatchesQuery(PageQuery):
    """Which matches of a season."""

    leg: int | None = Field(None, ge=0, le=1_000_000_000)
    """Only those of this leg, in playing order."""
    bot: str | None = Field(None, max_length=64)
    """Only those that this bot played."""


class BotsQuery(PageQuery):
    """Which bots."""

    game: str | None = Field(None, max_length=64)
    """Only those that play this game."""
    author: str | None = Field(None, max_length=256)
    """Only those of this author."""


def resource(
    name: str,
    path: str,
    reader: Callable[..., Any],
    model: type[BaseModel],
    tag: str,
    *,
    query: type[BaseModel] | None = None,
    unchanging: bool = False,
) -> None:
    """Serve what a reader returns, and describe it in the words of the reader.

    The reader gets the store, the parts of the address and the fields of the query by name. A page
    of a list comes with links to the others; what is `unchanging` may be kept for ever.
    """

    def view(query: Any = None, **place: Any) -> object:
        found = reader(site().store, **place, **(dict(query) if query else {}))
        if isinstance(found, PageShape):
            return one_page(found, query)
        return for_ever(as_json(found)) if unchanging else found

    view.__name__ = name
    view.__doc__ = reader.__doc__
    view.__annotations__ = {"query": query} if query else {}
    described = api.validate(resp=Answers(model, 404), tags=[tag])(view)
    blueprint.get(path)(described)


def bot_interventions(store: Store, name: str) -> Interventions:
    """What organisers did to a bot in any season, the latest first."""
    with bots.reading(store, name) as (_, owner, _):
        return seasons.bot_interventions(store, owner.name)


def season_interventions(store: Store, name: str, number: int) -> Interventions:
    """What organisers did to a season, with their reasons."""
    return seasons.season_interventions(store, seasons.season(store, name, number).id)


resource("bots", "/bots", bots.page_of_bots, bots.Bots, "bots", query=BotsQuery)
resource("bot", "/bots/<name>", bots.bot, bots.BotDetail, "bots")
resource(
    "version",
    f"/bots/<name>/versions/{NUMBER}",
    bots.version,
    bots.Version,
    "bots",
    unchanging=True,
)
resource("results", "/bots/<name>/results", bots.results, bots.Results, "bots", query=PageQuery)
resource(
    "bot_interventions", "/bots/<name>/interventions", bot_interventions, Interventions, "bots"
)
resource(
    "interventions",
    f"/tournaments/<name>/seasons/{NUMBER}/interventions",
    season_interventions,
    Interventions,
    "tournaments",
)
resource("faults", "/bots/<name>/faults", bots.faults, bots.Faults, "bots")


def matches_of_season(
    store: Store, name: str, number: int, leg: int | None, bot: str | None, page: int, size: int
) -> Matches:
    """The matches of a season, the last one stored first."""
    versions = None
    if bot is not None:
        table = standings.standings(store, name, number)
        versions = [line.version_id for line in table.standings if line.bot == bot]
    return matches.matches(store, name, number, leg=leg, versions=versions, page=page, size=size)


def match(_: Store, key: str) -> MatchDetail:
    """A match: who played, who won, and its games."""
    return site().match(key)


def game(_: Store, key: str, number: int) -> GameDetail:
    """A game of a match, turn by turn, with every question and answer."""
    found = site().match(key)
    if number > len(found.games):
        games = "1 game" if len(found.games) == 1 else f"{len(found.games)} games"
        raise NotFound(f"match {key} has {games}; there is no game {number}")
    return matches.game(found, number)


resource("match", "/matches/<path:key>", match, MatchDetail, "matches")
resource(
    "game",
    f"/matches/<path:key>/games/{NUMBER}",
    game,
    GameDetail,
    "matches",
    unchanging=True,
)
resource(
    "matches",
    f"/tournaments/<name>/seasons/{NUMBER}/matches",
    matches_of_season,
    Matches,
    "matches",
    query=MatchesQuery,
)
