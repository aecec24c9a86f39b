"""The log: who did what, and when."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from accounts import shapes
from accounts.shapes import Log, Messages, MessageShape
from accounts.storage.messages import LONGEST_MESSAGE
from accounts.web.access import Needs, needs
from accounts.web.api.blueprint import SECURITY, Moment, Said, blueprint, sent
from accounts.web.opened import opened
from accounts.web.visitors import person
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api


class LogQuery(Query):
    """Which acts."""

    before: int | None = Field(None, ge=1, le=999_999_999)
    """Only those that are older than the act of this number."""
    search: str = Field("", max_length=80)
    """Only those of which the act, what it was done to, or the person holds this."""
    size: int = Field(50, ge=1, le=200)
    """The most acts of an answer."""


@blueprint.get("/desk/log")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Log, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def log(query: LogQuery) -> Log:
    """All acts, the newest first; `older` says how to go on."""
    return shapes.log(*opened().door.log(query.size, query.before, query.search))


class NewMessage(Query):
    """What people are to be told."""

    text: Said = Field(max_length=LONGEST_MESSAGE)
    """The text."""
    team: Said | None = None
    """The team that it is for; everybody without one."""
    ends: Moment | None = None
    """Until when it is shown; for ever without it."""


@blueprint.get("/desk/messages")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Messages, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def messages() -> Messages:
    """The newest 50 messages, also those that have ended."""
    return shapes.messages(opened().door.messages())


@blueprint.post("/desk/messages")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewMessage,
    resp=Answers(MessageShape, 401, 403, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def tell() -> Any:
    """Show a message to everybody, or to a team."""
    said, door = sent(NewMessage), opened().door
    number = door.send_message(said.text, said.team or None, said.ends, person().id)
    return shapes.message(door.message(number)), 201


@blueprint.post("/desk/messages/<int(max=999999999):message_id>/end")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(MessageShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def end_message(message_id: int) -> MessageShape:
    """Show a message no longer."""
    door = opened().door
    door.end_message(message_id, person().id)
    return shapes.message(door.message(message_id))
