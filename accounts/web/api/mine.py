"""Who a token belongs to, the bots of this person's teams, and what organisers tell them."""

from __future__ import annotations

from typing import Any

from flask import Response
from pydantic import Field
from werkzeug.exceptions import NotFound

from accounts import shapes
from accounts.own_matches import decisions, question, written
from accounts.shapes import OwnMatch
from accounts.web.access import Needs, needs, own_bot, own_match
from accounts.web.api.blueprint import SECURITY, blueprint
from accounts.web.decision_lines import decision_lines
from accounts.web.opened import opened
from accounts.web.visitors import person, token_of_request
from leaderboard import bots, views
from leaderboard.paging import paged
from leaderboard.question_file import QuestionFile
from leaderboard.shapes.base import PageShape
from leaderboard.web.api.answers import NUMBER, PageQuery, Query, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site


@blueprint.get("/me")
@needs(Needs.PERSON)
@api.validate(resp=Answers(shapes.Me, 401, 403, kept=False), tags=["people"], security=SECURITY)
def me() -> shapes.Me:
    """Who the token belongs to, and what it may do."""
    token = token_of_request()
    assert token is not None
    return shapes.me(person(), token)


@blueprint.get("/me/tokens")
@needs(Needs.PERSON, "manage")
@api.validate(resp=Answers(shapes.Tokens, 401, 403, kept=False), tags=["people"], security=SECURITY)
def my_tokens() -> shapes.Tokens:
    """My valid tokens, without their secrets; they are made on pages alone."""
    return shapes.tokens(opened().door.tokens(person().id))


@blueprint.delete("/me/tokens/<int(max=999999999):token_id>")
@needs(Needs.TEAM, "manage")
@api.validate(
    resp=Answers(shapes.Tokens, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def revoke_token(token_id: int) -> shapes.Tokens:
    """Revoke a token of mine; the answer is those that are left."""
    who, door = person(), opened().door
    if not door.revoke(who.id, token_id):
        raise NotFound("There is no such token of yours.")
    return shapes.tokens(door.tokens(who.id))


@blueprint.get("/me/bots")
@needs(Needs.PERSON)
@api.validate(
    resp=Answers(bots.Bots, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def my_bots(query: PageQuery) -> tuple[PageShape, object]:
    """The bots of my teams, each by its newest version."""
    who = person()
    own = [line for line in views.bots(site().store) if who.belongs_to(line.author)]
    found = paged(own, query.page, query.size)
    return one_page(bots.Bots.of(found), query)


@blueprint.get("/me/messages")
@needs(Needs.PERSON)
@api.validate(
    resp=Answers(shapes.Messages, 401, 403, kept=False), tags=["people"], security=SECURITY
)
def my_messages() -> shapes.Messages:
    """What organisers tell me now, without what I have dismissed."""
    return shapes.messages(opened().door.messages_for(person()))


@blueprint.post("/me/messages/<int(max=999999999):message_id>/dismiss")
@needs(Needs.PERSON, "manage")
@api.validate(
    resp=Answers(shapes.Messages, 401, 403, 404, kept=False),
    tags=["people"],
    security=SECURITY,
)
def dismiss_message(message_id: int) -> shapes.Messages:
    """Show me a message no more; the answer is what is left."""
    who, door = person(), opened().door
    door.dismiss(who, message_id)
    return shapes.messages(door.messages_for(who))


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
    return one_page(shapes.own_match(match.key, bots, found.faults, stderr, page), query)


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
