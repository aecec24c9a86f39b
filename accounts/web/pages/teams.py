"""A team: its members, who is invited, and leaving it."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.exceptions import NotFound

from card_arena.accounts import invitations
from card_arena.accounts.entries import Team
from card_arena.accounts.storage.people import BadAccount
from card_arena.accounts.web.access import Needs, needs, own_team
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.fields import row_number
from card_arena.accounts.web.pages.blueprint import blueprint
from card_arena.accounts.web.visitors import person


@blueprint.get("/mine/team/<int:team_id>")
@needs(Needs.TEAM)
def team(team_id: int) -> str:
    """Who is in a team, and who is invited."""
    return _page(own_team(person(), team_id))


@blueprint.post("/mine/team/<int:team_id>/ask")
@needs(Needs.TEAM, "manage")
def invite_member(team_id: int) -> Response | tuple[str, int]:
    """Invite somebody to a team, by email if a mail server is configured."""
    who, context = person(), accounts_context()
    found = own_team(who, team_id)
    site = context.site
    try:
        invitations.invite_member(
            context.accounts,
            who,
            found,
            request.form.get("email", ""),
            context.settings.team_size,
            site,
            context.mailroom,
        )
    except BadAccount as error:
        return _page(found, str(error)), 400
    flash("Invited. It is up to them whether they join.")
    return redirect(url_for("accounts.team", team_id=found.id), 303)


@blueprint.post("/mine/team/<int:team_id>/take-back")
@needs(Needs.TEAM, "manage")
def withdraw_invitation(team_id: int) -> Response:
    """Take an invitation back."""
    who = person()
    found = own_team(who, team_id)
    accounts_context().accounts.withdraw_invitation(
        who.id, found.id, request.form.get("invitation", 0, type=row_number)
    )
    return redirect(url_for("accounts.team", team_id=found.id), 303)


@blueprint.post("/mine/team/<int:team_id>/leave")
@needs(Needs.TEAM, "manage")
def leave_team(team_id: int) -> Response | tuple[str, int]:
    """Leave a team."""
    who = person()
    found = own_team(who, team_id)
    if request.form.get("sure") != "yes":
        return _page(found, "say that you are sure"), 400
    try:
        accounts_context().accounts.leave_team(who, found.id)
    except BadAccount as error:
        return _page(found, str(error)), 400
    return redirect(url_for("accounts.mine"), 303)


@blueprint.post("/mine/invitation/<int:invitation_id>")
@needs(Needs.TEAM, "manage")
def answer_invitation(invitation_id: int) -> Response:
    """Join the team that one is invited to, or don't."""
    joins = request.form.get("answer") == "join"
    found = accounts_context().accounts.answer_invitation(person(), invitation_id, joins=joins)
    if found is None:
        raise NotFound("There is no such invitation for you.")
    flash(f"You are in the team {found.name}." if joins else "You have declined.")
    return redirect(url_for("accounts.mine"), 303)


def _page(found: Team, trouble: str = "") -> str:
    context = accounts_context()
    return render_template(
        "accounts/team.html",
        team=found,
        members=context.accounts.members(found.id),
        asked=context.accounts.invitations(found.id),
        most=context.settings.team_size,
        sends=context.mailroom is not None,
        trouble=trouble,
    )
