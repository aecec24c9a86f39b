"""What there is here: the description of the API, games, languages, and what is played next."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Response, jsonify, request

from leaderboard.plans import announcements
from leaderboard.shapes import rules, seasons
from leaderboard.shapes.rules import Languages
from leaderboard.tournaments import upcoming
from leaderboard.versus import AllGames
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site


@blueprint.get("/openapi.json")
def description() -> Response:
    """This description."""
    return jsonify({**api.data(), "servers": [{"url": request.root_url.rstrip("/")}]})


@blueprint.get("/games")
@api.validate(resp=Answers(rules.Games), tags=["about"])
def games() -> rules.Games:
    """The games that there are, with the options of their tables."""
    return rules.games()


@blueprint.get("/languages")
@api.validate(resp=Answers(Languages), tags=["about"])
def languages() -> Languages:
    """The languages that bots may be written in."""
    return Languages(items=tuple(site().languages))


@blueprint.get("/coming")
@api.validate(resp=Answers(seasons.ComingSeasons), tags=["tournaments"])
def coming() -> seasons.ComingSeasons:
    """What is played next, the earliest first."""
    found = upcoming(announcements(site().store), datetime.now(UTC))
    return seasons.ComingSeasons(items=tuple(seasons.coming(*pair) for pair in found))


@blueprint.get("/all-games")
@api.validate(resp=Answers(AllGames), tags=["standings"])
def all_games() -> AllGames:
    """One order of all versions over all games."""
    return site().all_games()
