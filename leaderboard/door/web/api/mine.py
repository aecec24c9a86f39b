"""Who a token belongs to, the bots of this person's teams, and what organisers tell them."""

from __future__ import annotations

from werkzeug.exceptions import NotFound

from leaderboard import views
from leaderboard.door.shapes import of_messages, of_people
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person, token_of_request
from leaderboard.shapes import of_bots
from leaderboard.shapes.base import PageShape
from leaderboard.views.paging import paged
from leaderboard.web.api.answers import PageQuery, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site


@blueprint.get("/me")
@needs(Needs.PERSON)
@api.validate(resp=Answers(of_people.Me, 401, 403, kept=False), tags=["people"], security=SECURITY)
def me() -> of_people.Me:
    """Who the token belongs to, and what it may do."""
    token = token_of_request()
    assert token is not None
    return of_people.me(person(), token)


@blueprint.get("/me/tokens")
@needs(Needs.PERSON, "manage")
@api.validate(
    resp=Answers(of_people.Tokens, 401, 403, kept=False), tags=["people"], security=SECURITY
)
def my_tokens() -> of_people.Tokens:
    """My valid tokens, without their secrets; they are made on pages alone."""
    return of_people.tokens(opened().door.tokens(person().id))


@blueprint.delete("/me/tokens/<int(max=999999999):token_id>")
@needs(Needs.TEAM, "manage")
@api.validate(
    resp=Answers(of_people.Tokens, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def revoke_token(token_id: int) -> of_people.Tokens:
    """Revoke a token of mine; the answer is those that are left."""
    who, door = person(), opened().door
    if not door.revoke(who.id, token_id):
        raise NotFound("There is no such token of yours.")
    return of_people.tokens(door.tokens(who.id))


@blueprint.get("/me/bots")
@needs(Needs.PERSON)
@api.validate(
    resp=Answers(of_bots.Bots, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def my_bots(query: PageQuery) -> tuple[PageShape, object]:
    """The bots of my teams, each by its newest version."""
    who = person()
    own = [line for line in views.bots(site().store) if who.belongs_to(line.author)]
    return one_page(of_bots.bots(paged(own, query.page, query.size)), query)


@blueprint.get("/me/messages")
@needs(Needs.PERSON)
@api.validate(
    resp=Answers(of_messages.Messages, 401, 403, kept=False), tags=["people"], security=SECURITY
)
def my_messages() -> of_messages.Messages:
    """What organisers tell me now, without what I have dismissed."""
    return of_messages.messages(opened().door.messages_for(person()))


@blueprint.post("/me/messages/<int(max=999999999):message_id>/dismiss")
@needs(Needs.PERSON, "manage")
@api.validate(
    resp=Answers(of_messages.Messages, 401, 403, 404, kept=False),
    tags=["people"],
    security=SECURITY,
)
def dismiss_message(message_id: int) -> of_messages.Messages:
    """Show me a message no more; the answer is what is left."""
    who, door = person(), opened().door
    door.dismiss(who, message_id)
    return of_messages.messages(door.messages_for(who))
