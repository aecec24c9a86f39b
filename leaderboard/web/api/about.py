"""What there is here: the description of the API, games, languages, and what is played next."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Response, jsonify, request

from leaderboard import views
from leaderboard.shapes import of_rivals, of_rules, of_seasons
from leaderboard.shapes.of_rules import Languages
from leaderboard.views.upcoming import upcoming
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site


@blueprint.get("/openapi.json")
def description() -> Response:
    """This description."""
    return jsonify({**api.data(), "servers": [{"url": request.root_url.rstrip("/")}]})


@blueprint.get("/games")
@api.validate(resp=Answers(of_rules.Games), tags=["about"])
def games() -> of_rules.Games:
    """The games that there are, with the options of their tables."""
    return of_rules.games()


@blueprint.get("/languages")
@api.validate(resp=Answers(Languages), tags=["about"])
def languages() -> Languages:
    """The languages that bots may be written in."""
    return Languages(items=tuple(site().languages))


@blueprint.get("/coming")
@api.validate(resp=Answers(of_seasons.ComingSeasons), tags=["tournaments"])
def coming() -> of_seasons.ComingSeasons:
    """What is played next, the earliest first."""
    found = upcoming(views.announcements(site().store), datetime.now(UTC))
    return of_seasons.ComingSeasons(items=tuple(of_seasons.coming(*pair) for pair in found))


@blueprint.get("/all-games")
@api.validate(resp=Answers(of_rivals.AllGamesShape), tags=["standings"])
def all_games() -> of_rivals.AllGamesShape:
    """One order of all versions over all games."""
    return of_rivals.all_games(site().all_games())
