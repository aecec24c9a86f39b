"""People and teams: who is here, in which role, in which team."""

from __future__ import annotations

from collections.abc import Sequence

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response

from card_arena.accounts import invitations, operations
from card_arena.accounts.entries import Limits, Role
from card_arena.accounts.guests import Guest, read_guests, sound
from card_arena.accounts.invitations import Invited
from card_arena.accounts.ownership import authors, give_bots
from card_arena.accounts.web import fields
from card_arena.accounts.web.access import Needs, carry_out_here, needs
from card_arena.accounts.web.admin.blueprint import ROWS, blueprint
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.roster import (
    bots_of,
    matching,
    members_of,
    person_numbered,
    rename,
    team_numbered,
)
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.models import paged
from card_arena.leaderboard.web.pages.site import searched_text, site


@blueprint.get("/people")
@needs(Needs.ORGANISER, "manage")
def people() -> str:
    """Everybody with an account."""
    everybody = accounts_context().accounts.people()
    searched = searched_text()
    found = matching(everybody, searched)
    return render_template(
        "accounts/admin/people.html",
        everybody=everybody,
        students=accounts_context().accounts.students(),
        wanted=searched,
        found=paged(found, request.args.get("page", 1, type=int), ROWS),
    )


@blueprint.get("/person/<int:person_id>")
@needs(Needs.ORGANISER, "manage")
def one(person_id: int) -> str:
    """Somebody, and what can be changed about them."""
    found, accounts = person_numbered(person_id), accounts_context().accounts
    return render_template(
        "accounts/admin/person.html",
        one=found,
        sessions=accounts.sessions(found.id),
        tokens=accounts.tokens(found.id),
        identities=accounts.identities(found.id),
        student=accounts.student(found.id),
        operations=operations.OPERATIONS,
    )


@blueprint.post("/person/<int:person_id>")
@needs(Needs.ORGANISER, "manage")
def change(person_id: int) -> Response | str:
    """Change somebody's role, team, number or excuse, and what signs them in."""
    found, accounts, me = person_numbered(person_id), accounts_context().accounts, person().id
    match fields.text("what"):
        case "excuse":
            before = accounts.student(person_id).deadline
            deadline = fields.moment("deadline", "the deadline", before)
            accounts.excuse(found.email, fields.text("excuse"), deadline, me)
        case "withdraw excuse":
            accounts.take_excuse_back(found.email, me)
        case "link":
            return _links(
                [invitations.new_link(accounts, found.email, accounts_context().site, me)]
            )
        case what:
            operation = operations.named(what, "person")
            carry_out_here(operation, found.email, fields.values(operation))
    flash("Done. It is in the log.")
    return redirect(url_for("admin.one", person_id=person_id), 303)


@blueprint.get("/invite")
@needs(Needs.ORGANISER, "manage")
def invite_page() -> str:
    """The form for inviting one or many."""
    return render_template(
        "accounts/admin/invite.html", sends=accounts_context().mailroom is not None
    )


@blueprint.post("/invite")
@needs(Needs.ORGANISER, "manage")
def invite() -> str:
    """Invite one person, or a list of them; nobody is invited if one can't be."""
    role: Role = "organiser" if fields.text("role") == "organiser" else "author"
    context, by_mail = accounts_context(), fields.text("how") == "mail"
    return _links(
        invitations.invite(
            context.accounts,
            site().store,
            _guests(),
            role,
            person(),
            accounts_context().site,
            context.mailroom,
            by_mail=by_mail,
        )
    )


@blueprint.get("/teams")
@needs(Needs.ORGANISER, "manage")
def teams() -> str:
    """Every team."""
    found = paged(accounts_context().accounts.teams(), request.args.get("page", 1, type=int), ROWS)
    return render_template("accounts/admin/teams.html", found=found)


@blueprint.get("/team/<int:team_id>")
@needs(Needs.ORGANISER, "manage")
def team(team_id: int) -> str:
    """A team: its people, its bots, its uploads and its limits."""
    found, context = team_numbered(team_id), accounts_context()
    _, limits = context.accounts.limits()
    return render_template(
        "accounts/admin/team.html",
        team=found,
        members=members_of(found),
        bots=bots_of(found),
        nobodys=found.author is None and found.name in authors(site().store),
        uploads=context.accounts.uploads_of(team_id, ROWS),
        quota=context.limits_for(found),
        limits=limits.get(found, Limits()),
    )


@blueprint.post("/team/<int:team_id>/name")
@needs(Needs.ORGANISER, "manage")
def rename_team(team_id: int) -> Response:
    """Rename a team that has no bots yet."""
    rename(team_numbered(team_id), fields.text("name"), person())
    flash("Done. It is in the log.")
    return redirect(url_for("admin.team", team_id=team_id), 303)


@blueprint.post("/team/<int:team_id>/bots")
@needs(Needs.ORGANISER, "manage")
def give_team_bots(team_id: int) -> Response:
    """Give a team the bots that somebody of its name is the author of."""
    give_bots(accounts_context().accounts, site().store, team_numbered(team_id), person().id)
    flash("Done. It is in the log.")
    return redirect(url_for("admin.team", team_id=team_id), 303)


def _guests() -> Sequence[Guest]:
    """Whom the form names: in its fields, in what was pasted, or in a file."""
    guests = []
    if fields.text("email"):
        guests.append(
            sound(
                Guest(
                    fields.text("name") or fields.text("email"),
                    fields.text("email"),
                    fields.text("team"),
                    fields.text("owns") == "yes",
                    fields.text("number"),
                )
            )
        )
    if fields.text("list"):
        guests += read_guests(fields.text("list"), "the list")
    file = request.files.get("file")
    if file and file.filename:
        try:
            listed = file.stream.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise fields.BadField("the file must be CSV in UTF-8") from None
        guests += read_guests(listed, "the file")
    return guests


def _links(invited: Sequence[Invited]) -> str:
    return render_template("accounts/admin/links.html", invited=invited)
