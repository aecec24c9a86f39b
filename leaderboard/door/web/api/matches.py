"""Matches of one's own bots: every decision, with standard error."""

from __future__ import annotations

from typing import Any

from flask import Response
from pydantic import Field

from leaderboard.door.own_matches import decisions, question, written
from leaderboard.door.shapes import of_matches
from leaderboard.door.shapes.of_matches import OwnMatch
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.decision_lines import decision_lines
from leaderboard.door.web.own import own_bot, own_match
from leaderboard.door.web.visitors import person
from leaderboard.question_file import QuestionFile
from leaderboard.views.paging import paged
from leaderboard.web.api.answers import NUMBER, PageQuery, Query, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site


class DecisionsQuery(PageQuery):
    """Which decisions of a match."""

    game: int = Field(0, ge=0, le=999_999_999)
    """Only those of the game with this number; 0 for all games."""
    faults: bool = False
    """Only those that were faults."""


class SeasonQuery(Query):
    """Which season."""

    season: str = Field("", max_length=256)
    """Only those of a season, such as `friday/3`, or of a tournament, such as `friday`."""


@blueprint.get("/me/matches/<path:key>")
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(OwnMatch, 401, 403, 404, kept=False), tags=["matches"], security=SECURITY
)
def my_match(key: str, query: DecisionsQuery) -> Any:
    """What my bots were asked and answered in a match, and what they wrote on standard error."""
    match, bots = own_match(person(), key)
    found = decisions(match, bots, query.game, only_faults=query.faults)
    page = paged(found.chosen, query.page, query.size)
    stderr = written(site().store, match, bots, query.game)
    return one_page(of_matches.own_match(match.key, bots, found.faults, stderr, page), query)


@blueprint.get(f"/me/matches/<path:key>/games/{NUMBER}/questions/<int(max=999999999):turn>")
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(QuestionFile, 401, 403, 404, kept=False), tags=["matches"], security=SECURITY
)
def my_question(key: str, number: int, turn: int) -> Response:
    """A question to my bot as the file that `arena repro` reads, with its standard error."""
    match, bots = own_match(person(), key)
    asked = question(site().store, match, bots, number, turn)
    return Response(asked.model_dump_json(indent=1) + "\n", mimetype="application/json")


@blueprint.get("/bots/<name>/decisions")
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(None, 401, 403, 404, media=("application/jsonl",), kept=False),
    tags=["bots"],
    security=SECURITY,
)
def bot_decisions(name: str, query: SeasonQuery) -> Response:
    """Every decision of my bot as a line of JSON, match by match."""
    own_bot(person(), name)
    return decision_lines(site().store, name, query.season)
