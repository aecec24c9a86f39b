"""What all pages of accounts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from flask import Blueprint, Response, render_template

from card_arena.accounts.administration import NotPermitted, WithdrawnByOrganiser
from card_arena.accounts.entries import Message, Person
from card_arena.accounts.storage.people import LinkedOtherwise, NoEntry
from card_arena.accounts.web.access import guard, status_of
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.visitors import Forbidden, visitor
from card_arena.results.errors import StoreError

blueprint = Blueprint("accounts", __name__, template_folder="../templates")
blueprint.before_request(guard)


@blueprint.after_request
def keep_private(response: Response) -> Response:
    """Let nobody keep a page that is about somebody."""
    response.cache_control.no_store = True
    return response


@blueprint.context_processor
def who() -> dict[str, object]:
    """Let each page say who is signed in, and what organisers tell them.

    The page that says that the accounts database is out of order does without.
    """
    found: Person | None = None
    told: Sequence[Message] = ()
    with suppress(StoreError):
        found = visitor()
        told = accounts_context().accounts.messages_for(found) if found else ()
    return {
        "visitor": found,
        "messages": told,
        "above_main": ["accounts/_messages.html"] if told else [],
    }


@blueprint.errorhandler(Forbidden)
@blueprint.errorhandler(WithdrawnByOrganiser)
@blueprint.errorhandler(LinkedOtherwise)
@blueprint.errorhandler(NoEntry)
@blueprint.errorhandler(NotPermitted)
def forbidden(error: Exception) -> tuple[str, int]:
    """Say why somebody can't see or do this."""
    return render_template("accounts/forbidden.html", error=error), status_of(error)
