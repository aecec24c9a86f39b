"""Bots, for programs."""

from __future__ import annotations

from flask import Response
from pydantic import Field
from werkzeug.exceptions import NotFound

from leaderboard import views
from leaderboard.paging import paged
from leaderboard.shapes import bots as shapes
from leaderboard.shapes.base import PageShape
from leaderboard.shapes.bots import BotDetail, Bots, Faults, Results, VersionShape
from leaderboard.shapes.seasons import Interventions, interventions
from leaderboard.web.api.answers import NUMBER, PageQuery, as_json, for_ever, one_page
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site

Paged = tuple[PageShape, object]


class BotsQuery(PageQuery):
    """Which bots."""

    game: str | None = Field(None, max_length=64)
    """Only those that play this game."""
    author: str | None = Field(None, max_length=256)
    """Only those of this author."""


@blueprint.get("/bots")
@api.validate(resp=Answers(Bots, 404), tags=["bots"])
def bots(query: BotsQuery) -> Paged:
    """Every bot with its newest version, in order of name."""
    wanted = [
        line
        for line in views.bots(site().store)
        if query.game in (None, *line.games) and query.author in (None, line.author)
    ]
    return one_page(shapes.bots(paged(wanted, query.page, query.size)), query)


@blueprint.get("/bots/<name>")
@api.validate(resp=Answers(BotDetail, 404), tags=["bots"])
def bot(name: str) -> BotDetail:
    """A bot: its versions, seasons and ratings."""
    return shapes.bot(views.bot(site().store, name))


@blueprint.get(f"/bots/<name>/versions/{NUMBER}")
@api.validate(resp=Answers(VersionShape, 404), tags=["bots"])
def version(name: str, number: int) -> Response:
    """A version of a bot; it never changes."""
    versions = views.bot(site().store, name).versions
    for line in versions:
        if line.number == number:
            return for_ever(as_json(shapes.version(line)))
    there = "1 version" if len(versions) == 1 else f"{len(versions)} versions"
    raise NotFound(f"the bot {name} has {there}; there is no version {number}")


@blueprint.get("/bots/<name>/results")
@api.validate(resp=Answers(Results, 404), tags=["bots"])
def results(name: str, query: PageQuery) -> Paged:
    """The matches of a bot, the newest first."""
    found = views.bot(site().store, name, query.page, query.size)
    return one_page(shapes.results(found.results), query)


@blueprint.get("/bots/<name>/interventions")
@api.validate(resp=Answers(Interventions, 404), tags=["bots"])
def bot_interventions(name: str) -> Interventions:
    """What organisers did to a bot in any season, the latest first."""
    page = views.bot(site().store, name)
    return interventions(views.bot_interventions(site().store, page.name))


@blueprint.get("/bots/<name>/faults")
@api.validate(resp=Answers(Faults, 404), tags=["bots"])
def faults(name: str) -> Faults:
    """The newest faults of a bot, with what was asked and answered."""
    return shapes.faults(views.bot(site().store, name).faults)
