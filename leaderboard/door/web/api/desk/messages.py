"""Messages to everybody, or to one team."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from leaderboard.door.shapes import of_messages
from leaderboard.door.shapes.of_messages import Messages, MessageShape
from leaderboard.door.storage.messages import LONGEST_MESSAGE
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.reading import Moment, Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api


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
    return of_messages.messages(opened().door.messages())


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
    return of_messages.message(door.message(number)), 201


@blueprint.post("/desk/messages/<int(max=999999999):message_id>/end")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(MessageShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def end_message(message_id: int) -> MessageShape:
    """Show a message no longer."""
    door = opened().door
    door.end_message(message_id, person().id)
    return of_messages.message(door.message(message_id))
