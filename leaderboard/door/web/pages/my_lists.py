"""All faults and all matches of somebody's own bot, page by page."""

from __future__ import annotations

from flask import render_template, request

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.own import own_bot
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import person
from leaderboard.views.of_own_bots import faults_of_bot, matches_of_bot
from leaderboard.web.pages.site import site


@blueprint.get("/mine/bot/<name>/faults")
@needs(Needs.TEAM)
def my_faults(name: str) -> str:
    """The faults of a bot, of one `kind` and in one `tournament` if these are chosen."""
    own_bot(person(), name)
    kind, tournament, page = request.args.get("kind", ""), *_chosen()
    return render_template(
        "door/my_faults.html",
        name=name,
        kind=kind,
        tournament=tournament,
        found=faults_of_bot(site().store, name, kind, tournament, page),
    )


@blueprint.get("/mine/bot/<name>/matches")
@needs(Needs.TEAM)
def my_matches(name: str) -> str:
    """The matches of a bot, in one `tournament` if it is chosen."""
    own_bot(person(), name)
    tournament, page = _chosen()
    return render_template(
        "door/my_matches.html",
        name=name,
        tournament=tournament,
        found=matches_of_bot(site().store, name, tournament, page),
    )


def _chosen() -> tuple[str, int]:
    return request.args.get("tournament", ""), request.args.get("page", 1, type=int)
