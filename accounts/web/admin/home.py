"""The admin home page, the log, messages and limits."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response

from card_arena.accounts.entries import Limits
from card_arena.accounts.web import fields
from card_arena.accounts.web.access import Needs, needs
from card_arena.accounts.web.admin.blueprint import ROWS, blueprint
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.fields import row_number
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.tournaments import tournament_names
from card_arena.leaderboard.web.pages.site import site

NEWEST = 20
FAILED = 10


@blueprint.get("")
@needs(Needs.ORGANISER, "manage")
def home() -> str:
    """The operations and uploads that wait, the newest uploads, and the tournaments."""
    accounts = accounts_context().accounts
    return render_template(
        "accounts/admin/home.html",
        waiting=accounts.waiting(NEWEST),
        failed=accounts.newest_uploads(FAILED, rejected=True),
        uploads=accounts.newest_uploads(NEWEST),
        tournaments=tournament_names(site().store),
        entries=accounts.audit_log(5),
        operations=accounts.waiting_operations(NEWEST),
    )


LONGEST_SEARCH = 80


@blueprint.get("/log")
@needs(Needs.ORGANISER, "manage")
def log() -> str:
    """The audit log, the newest first."""
    searched = " ".join(request.args.get("q", "").split())[:LONGEST_SEARCH]
    before = request.args.get("before", type=row_number)
    entries, older = accounts_context().accounts.log(ROWS, before, searched)
    return render_template(
        "accounts/admin/log.html",
        entries=entries,
        older=older,
        before=before,
        wanted=searched,
    )


@blueprint.get("/messages")
@needs(Needs.ORGANISER, "manage")
def messages() -> str:
    """The newest messages, and the form for another."""
    accounts = accounts_context().accounts
    return render_template(
        "accounts/admin/messages.html",
        sent=accounts.messages(),
        teams=accounts.teams(),
        now=datetime.now(UTC),
    )


@blueprint.post("/messages")
@needs(Needs.ORGANISER, "manage")
def tell() -> Response:
    """Show a message to everybody, or to a team."""
    ends = fields.moment("ends", "the end")
    accounts_context().accounts.send_message(
        fields.text("text"), fields.text("team") or None, ends, person().id
    )
    flash("The message is shown from now on.")
    return redirect(url_for("admin.messages"), 303)


@blueprint.post("/messages/<int:message_id>/end")
@needs(Needs.ORGANISER, "manage")
def end_message(message_id: int) -> Response:
    """Show a message no longer."""
    accounts_context().accounts.end_message(message_id, person().id)
    flash("The message is no longer shown.")
    return redirect(url_for("admin.messages"), 303)


@blueprint.get("/limits")
@needs(Needs.ORGANISER, "manage")
def limits() -> str:
    """What is set for everybody and for single teams, over what arena.yaml says."""
    context = accounts_context()
    everybody, teams = context.accounts.limits()
    return render_template(
        "accounts/admin/limits.html",
        usual=context.settings.quota,
        now=(everybody or Limits()).over(context.settings.quota),
        limits=everybody or Limits(),
        teams=teams,
    )


@blueprint.post("/limits")
@needs(Needs.ORGANISER, "manage")
def limit() -> Response:
    """Set the limits of everybody, or of the team that the form names, or take them back."""
    accounts, me = accounts_context().accounts, person().id
    team = fields.text("team") or None
    if fields.text("what") == "as usual":
        accounts.clear_limits(team, me)
    else:
        everybody, teams = accounts.limits()
        of_teams = {each.name: its for each, its in teams.items()}
        before = everybody if team is None else of_teams.get(team)
        accounts.set_limits(
            Limits(
                a_day=fields.whole("a_day", "uploads a day"),
                deadline=fields.moment(
                    "deadline", "the deadline", before.deadline if before else None
                ),
                size=fields.size("size", "the size"),
                bots=fields.whole("bots", "bots a team"),
                bots_a_person=fields.whole("bots_a_person", "bots a person"),
                grace=fields.span("grace", "the grace"),
                reason=fields.text("reason"),
            ),
            team,
            me,
        )
    flash("Done. It is in the log.")
    if team is None:
        return redirect(url_for("admin.limits"), 303)
    return redirect(url_for("admin.team", team_id=accounts.team_named(team).id), 303)
