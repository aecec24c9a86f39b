"""The log: who did what, and when."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from card_arena.accounts.entries import Log, Message, Messages
from card_arena.accounts.storage.messages import LONGEST_MESSAGE
from card_arena.accounts.web.api.blueprint import Moment, Said, admin, sent
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.web.api.answers import Query


class LogQuery(Query):
    """Which entries."""

    before: int | None = Field(None, ge=1, le=999_999_999)
    """Only those that are older than the operation of this number."""
    search: str = Field("", max_length=80)
    """Only those of which the operation, what it was done to, or the person holds this."""
    size: int = Field(50, ge=1, le=200)
    """The most entries of an answer."""


@admin("GET /admin/log", Log)
def log(query: LogQuery) -> Log:
    """The audit log, the newest first; `older` says how to go on."""
    found, older = accounts_context().accounts.log(query.size, query.before, query.search)
    return Log(items=found, older=older)


class NewMessage(Query):
    """What people are to be told."""

    text: Said = Field(max_length=LONGEST_MESSAGE)
    """The text."""
    team: Said | None = None
    """The team that it is for; everybody without one."""
    ends: Moment | None = None
    """Until when it is shown; for ever without it."""


@admin("GET /admin/messages", Messages)
def messages() -> Messages:
    """The newest 50 messages, also those that have ended."""
    return Messages(items=accounts_context().accounts.messages())


@admin("POST /admin/messages", Message, json=NewMessage, status=(201,))
def tell() -> Any:
    """Show a message to everybody, or to a team."""
    said, accounts = sent(NewMessage), accounts_context().accounts
    number = accounts.send_message(said.text, said.team or None, said.ends, person().id)
    return accounts.message(number), 201


@admin("POST /admin/messages/<int(max=999999999):message_id>/end", Message, 404)
def end_message(message_id: int) -> Message:
    """Show a message no longer."""
    accounts = accounts_context().accounts
    accounts.end_message(message_id, person().id)
    return accounts.message(message_id)
