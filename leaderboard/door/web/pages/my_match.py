"""A match as its players' authors see it: every question, answer and verdict of their own bots.

Standard error and the files of questions with it are for them, and for organisers, alone.
"""

from __future__ import annotations

from flask import Response, render_template, request

from leaderboard.door.own_matches import decisions, question, written
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.own import own_match
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import person
from leaderboard.views.paging import paged
from leaderboard.web.pages.site import site
from leaderboard.web.template_filters import repro_name

DECISIONS = 100
"""How many decisions are on a page."""


@blueprint.get("/mine/match/<path:key>")
@needs(Needs.TEAM)
def my_match(key: str) -> str:
    """Every decision of somebody's own bots in a match, page by page."""
    match, bots = own_match(person(), key)
    game, only_faults = request.args.get("game", 0, type=int), "faults" in request.args
    found = decisions(match, bots, game, only_faults=only_faults)
    return render_template(
        "door/my_match.html",
        match=match,
        bots=bots,
        games=found.games,
        game=game if game in found.games else 0,
        faults=found.faults,
        only_faults=only_faults,
        found=paged(found.chosen, request.args.get("page", 1, type=int), DECISIONS),
        stderr=written(site().store, match, bots, game),
    )


@blueprint.get("/mine/repro/<path:key>")
@needs(Needs.TEAM)
def my_question(key: str) -> Response:
    """A question to somebody's own bot as a file for `arena repro`, with its standard error."""
    match, bots = own_match(person(), key)
    game, turn = request.args.get("game", 1, type=int), request.args.get("turn", -1, type=int)
    asked = question(site().store, match, bots, game, turn)
    headers = {"Content-Disposition": f'attachment; filename="{repro_name(key, game, turn)}"'}
    return Response(asked.model_dump_json(indent=1) + "\n", 200, headers, "application/json")
