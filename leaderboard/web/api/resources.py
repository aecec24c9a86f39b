"""The resources of the API, each with its address, reader and model; files to download."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, jsonify, request
from pydantic import BaseModel, Field
from werkzeug.exceptions import NotFound

from card_arena.leaderboard import bots, matches, queue, rules, seasons, tournaments
from card_arena.leaderboard.match_file import MatchFile, file_name, match_file
from card_arena.leaderboard.matches import GameDetail, MatchDetail, Matches
from card_arena.leaderboard.models import PageShape
from card_arena.leaderboard.question_file import QuestionFile
from card_arena.leaderboard.reviews import MatchReview
from card_arena.leaderboard.seasons import Interventions, Season, Seasons
from card_arena.leaderboard.standings import Standings
from card_arena.leaderboard.standings import standings as read_standings
from card_arena.leaderboard.tournaments import ComingSeasons, TournamentDetail, Tournaments
from card_arena.leaderboard.versus import AllGames, Versus
from card_arena.leaderboard.web.api.answers import (
    NUMBER,
    PageQuery,
    as_json,
    blueprint,
    for_ever,
    one_page,
)
from card_arena.leaderboard.web.api.description import Answers, api
from card_arena.leaderboard.web.pages.matches import question_of, season_settings
from card_arena.leaderboard.web.pages.seasons import season_file as file_of
from card_arena.leaderboard.web.pages.site import site
from card_arena.results.store import Store
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame


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
    """Serve the result of a reader, and describe it by the reader's docstring.

    The reader gets the store, the parts of the address and the fields of the query by name. A page
    of a list comes with links to the others; an `unchanging` resource may be cached forever.
    """

    def view(query: Any = None, **place: Any) -> object:
        result = reader(site().store, **place, **(dict(query) if query else {}))
        if isinstance(result, PageShape):
            return one_page(result, query)
        return for_ever(as_json(result)) if unchanging else result

    view.__name__ = name
    view.__doc__ = reader.__doc__
    view.__annotations__ = {"query": query} if query else {}
    missing = (404,) if "<" in path or query else ()
    described = api.validate(resp=Answers(model, *missing), tags=[tag])(view)
    blueprint.get(path)(described)


@blueprint.get("/openapi.json")
def description() -> Response:
    """This description."""
    return jsonify({**api.data(), "servers": [{"url": request.root_url.rstrip("/")}]})


def games(_: Store) -> rules.Games:
    """The games that there are, with the options of their tables."""
    return rules.games()


def languages(_: Store) -> rules.Languages:
    """The languages that bots may be written in."""
    return rules.Languages(items=tuple(site().languages))


def all_games(_: Store) -> AllGames:
    """One order of all versions over all games."""
    return site().all_games()


def newest_standings(_: Store, name: str) -> Standings:
    """The standings of a tournament's newest season, with their intervals."""
    return site().standings(name)


def season_standings(_: Store, name: str, number: int) -> Standings:
    """The standings of a season, with their intervals."""
    return site().standings(name, number)


def one_season(store: Store, name: str, number: int) -> Season:
    """A season of a tournament."""
    return seasons.season(store, name, number)


def versus(_: Store, name: str) -> Versus:
    """A tournament over all its seasons: strengths and head-to-head margins."""
    return site().versus(name)


resource("games", "/games", games, rules.Games, "about")
resource("languages", "/languages", languages, rules.Languages, "about")
resource("coming", "/coming", tournaments.coming_seasons, ComingSeasons, "tournaments")
resource("queue", "/queue", queue.queue, queue.Queue, "matches")
resource("next_match", "/bots/<name>/next", queue.next_match, queue.NextMatch, "bots")
resource("all_games", "/all-games", all_games, AllGames, "standings")
resource(
    "tournaments",
    "/tournaments",
    tournaments.page_of_tournaments,
    Tournaments,
    "tournaments",
    query=PageQuery,
)
resource(
    "tournament", "/tournaments/<name>", tournaments.tournament, TournamentDetail, "tournaments"
)
resource(
    "seasons",
    "/tournaments/<name>/seasons",
    tournaments.page_of_seasons,
    Seasons,
    "tournaments",
    query=PageQuery,
)
resource("season", f"/tournaments/<name>/seasons/{NUMBER}", one_season, Season, "tournaments")
resource(
    "newest_standings", "/tournaments/<name>/standings", newest_standings, Standings, "standings"
)
resource(
    "standings",
    f"/tournaments/<name>/seasons/{NUMBER}/standings",
    season_standings,
    Standings,
    "standings",
)
resource("versus", "/tournaments/<name>/versus", versus, Versus, "standings")


def matches_of_season(
    store: Store, name: str, number: int, leg: int | None, bot: str | None, page: int, size: int
) -> Matches:
    """The matches of a season, the last one stored first."""
    versions = None
    if bot is not None:
        table = read_standings(store, name, number)
        versions = [line.version_id for line in table.standings if line.bot == bot]
    return matches.matches(store, name, number, leg=leg, versions=versions, page=page, size=size)


def match(_: Store, key: str) -> MatchDetail:
    """A match: its entrants, result and games."""
    return site().match(key)


def game(_: Store, key: str, number: int) -> GameDetail:
    """A game of a match, turn by turn, with every question and answer."""
    detail = site().match(key)
    if number > len(detail.games):
        games = "1 game" if len(detail.games) == 1 else f"{len(detail.games)} games"
        raise NotFound(f"match {key} has {games}; there is no game {number}")
    return matches.game(detail, number)


def review(_: Store, key: str) -> MatchReview:
    """The review of a match: what each decision cost, as far as it is evaluated."""
    site().match(key)  # raises `UnknownMatch`, also for a hidden one
    try:
        done = site().review(key)
    except (BadRecord, UnknownGame) as error:
        raise NotFound(f"match {key} can't be reviewed: {error}") from error
    if done is None:
        raise NotFound(f"match {key} has no review: its bots' authors can ask for one")
    return done


resource("match", "/matches/<path:key>", match, MatchDetail, "matches")
resource("review", "/matches/<path:key>/review", review, MatchReview, "matches")
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


def bot_interventions(store: Store, name: str) -> Interventions:
    """The interventions that concern a bot, the latest first."""
    with bots.reading(store, name) as (_, owner, _):
        return seasons.bot_interventions(store, owner.name)


def season_interventions(store: Store, name: str, number: int) -> Interventions:
    """The interventions in a season, with their reasons."""
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


@blueprint.get(f"/matches/<path:key>/games/{NUMBER}/questions/<int(max=999999999):turn>")
@api.validate(resp=Answers(QuestionFile, 404), tags=["matches"])
def question(key: str, number: int, turn: int) -> Response:
    """A question as the file that `arena repro` reads, without standard error."""
    return for_ever(_json(question_of(key, number, turn).model_dump_json(indent=1) + "\n"))


@blueprint.get("/matches/<path:key>/file")
@api.validate(resp=Answers(MatchFile, 404), tags=["matches"])
def file(key: str) -> Response:
    """A match as the file that `arena pull` fetches, with all its records."""
    detail = site().match(key)
    response = _json(match_file(detail, season_settings(detail)))
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(detail.key)}"'
    return for_ever(response)


@blueprint.get(f"/tournaments/<name>/seasons/{NUMBER}/file")
@api.validate(resp=Answers(None, 404, media=("application/zip",)), tags=["tournaments"])
def season_file(name: str, number: int) -> Response:
    """A season as the file that `arena export` writes and `arena verify` checks."""
    return file_of(name, number)


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")
