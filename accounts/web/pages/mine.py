"""What somebody has here: teams, bots, uploads, and what to do first."""

from __future__ import annotations

from datetime import timedelta

from flask import redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.exceptions import NotFound

from card_arena.accounts.entries import SCOPES, Scope
from card_arena.accounts.storage.people import BadAccount
from card_arena.accounts.storage.tokens import LONGEST_LIFE
from card_arena.accounts.web.access import Needs, needs
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.pages.blueprint import blueprint
from card_arena.accounts.web.visitors import inside, person
from card_arena.leaderboard.bots import bots as read_bots
from card_arena.leaderboard.seasons import probation
from card_arena.leaderboard.web.pages.site import site


@blueprint.get("/mine")
@needs(Needs.PERSON)
def mine() -> str:
    """My bots and uploads, team by team."""
    who, accounts = person(), accounts_context().accounts
    store = site().store
    bots = [line for line in read_bots(store) if who.belongs_to(line.author)]
    return render_template(
        "accounts/mine.html",
        bots={team: [bot for bot in bots if bot.author == team.author] for team in who.teams},
        uploads={team: accounts.uploads_of(team.id, 10) for team in who.teams},
        probation={
            line.bot: what
            for line in bots
            if not line.withdrawn and (what := probation(store, line.bot))
        },
        asked=accounts.invitations_for(who),
    )


@blueprint.post("/messages/<int:message_id>/dismiss")
@needs(Needs.PERSON, "manage")
def dismiss(message_id: int) -> Response:
    """Show somebody a message no more; it is the same whether or not there is one."""
    accounts_context().accounts.dismiss(person(), message_id)
    return redirect(inside(request.form.get("back", "")) or url_for("accounts.mine"), 303)


MEANINGS = {
    "read": "see what you see",
    "submit": "see what you see, and hand bots in",
    "manage": "do everything that you may",
}
"""What each scope lets a program do."""


@blueprint.get("/mine/tokens")
@needs(Needs.PERSON, "manage")
def tokens() -> str:
    """The list, and the form for a new one."""
    return _page()


@blueprint.post("/mine/tokens")
@needs(Needs.PERSON, "manage")
def make_token() -> str | tuple[str, int]:
    """Make a token and show it this once."""
    form = request.form
    scope: Scope = next((each for each in SCOPES if each == form.get("scope")), "submit")
    try:
        life = timedelta(days=max(0, min(form.get("days", 0, type=int), LONGEST_LIFE.days + 1)))
        _, secret = accounts_context().accounts.make_token(
            person().id, form.get("name", ""), scope, life
        )
    except BadAccount as error:
        return _page(trouble=str(error)), 400
    return _page(secret)


@blueprint.post("/mine/tokens/<int:token_id>/revoke")
@needs(Needs.TEAM, "manage")
def revoke(token_id: int) -> Response:
    """End a token."""
    if not accounts_context().accounts.revoke(person().id, token_id):
        raise NotFound("There is no such token of yours.")
    return redirect(url_for("accounts.tokens"), 303)


def _page(secret: str = "", trouble: str = "") -> str:
    return render_template(
        "accounts/tokens.html",
        tokens=accounts_context().accounts.tokens(person().id),
        secret=secret,
        trouble=trouble,
        meanings=MEANINGS,
        longest=LONGEST_LIFE.days,
        site=accounts_context().site,
    )
