"""Seasons on the admin pages: operations on those that are being played."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast, get_args

from flask import Response, abort, flash, redirect, render_template, request, url_for
from werkzeug import Response as BaseResponse

from card_arena.accounts import operations
from card_arena.accounts.entries import Names, Visibility
from card_arena.accounts.marks import Counts
from card_arena.accounts.web import fields
from card_arena.accounts.web.access import Needs, carry_out_here, needs
from card_arena.accounts.web.admin.blueprint import ROWS, blueprint
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.sheet_files import archive_file, arena_file, season_file
from card_arena.accounts.web.tournaments import MOST_CORES, cores_here, demand_known, plan, show
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.bots import bots as read_bots
from card_arena.leaderboard.models import paged
from card_arena.leaderboard.web.pages.site import matches_search, searched_text, site, whole_site

REQUESTED = "Requested. The arena does it between matches, and the log says what became of it."


@blueprint.post("/t/<name>/intervene")
@needs(Needs.ORGANISER, "manage")
def intervene(name: str) -> BaseResponse:
    """Order something about a tournament's season: its reason stays on the pages."""
    demand_known(name)
    return _request("tournament", name, url_for("admin.tournament", name=name))


@blueprint.post("/bots")
@needs(Needs.ORGANISER, "manage")
def operation_on_bot() -> BaseResponse:
    """Order something about a bot."""
    return _request("bot", fields.text("subject"), url_for("admin.bots"))


def _request(subject: str, name: str, page: str) -> BaseResponse:
    """Order the operation of a form, and lead to a page."""
    operation = operations.named(fields.text("what"), subject)
    carry_out_here(operation, name, fields.values(operation))
    flash(REQUESTED)
    return redirect(page, 303)


@blueprint.get("/t/<name>")
@needs(Needs.ORGANISER, "manage")
def tournament(name: str) -> str:
    """What its next season would be, and who sees its results."""
    demand_known(name)
    cores = min(max(1, request.args.get("cores", cores_here(), type=int)), MOST_CORES)
    return render_template(
        "accounts/admin/tournament.html",
        name=name,
        operations=operations.about("tournament"),
        visibility=accounts_context().accounts.visibility(name),
        seasons=[season.number for season in whole_site().store.seasons(name)],
        plan=plan(name, cores),
        cores=cores,
        paused=whole_site().store.paused().get(name, ""),
    )


@blueprint.post("/t/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
def set_visibility(name: str) -> BaseResponse:
    """Decide who sees a tournament's results."""
    demand_known(name)
    match fields.text("what"):
        case "freeze":
            frozen: datetime | None = datetime.now(UTC)
        case "open":
            frozen = None
        case _:
            before = accounts_context().accounts.visibility(name).frozen
            frozen = fields.moment("frozen", "the freeze", before)
    names = cast(Names, fields.text("names") or "all")
    top = fields.whole("top", "the places") if names == "top" else None
    show(Visibility(name, names, top, frozen), person())
    flash("Done. It is in the log.")
    return redirect(url_for("admin.tournament", name=name), 303)


@blueprint.get("/bots")
@needs(Needs.ORGANISER, "manage")
def bots() -> str:
    """Every bot with its tags."""
    everybody = read_bots(site().store)
    searched = searched_text()
    found = [
        line
        for line in everybody
        if matches_search(searched, line.bot, line.author, *line.organiser_tags)
    ]
    return render_template(
        "accounts/admin/bots.html",
        operations=operations.about("bot"),
        everybody=everybody,
        wanted=searched,
        found=paged(found, request.args.get("page", 1, type=int), ROWS),
    )


@blueprint.get("/t/<name>/<int:number>/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def season_sheet(name: str, number: int, sheet: str, form: str) -> Response:
    """A sheet about a season; `counts` says which version counts for marks."""
    counts = request.args.get("counts", "last")
    if counts not in get_args(Counts):
        abort(404, f"Marks count {' or '.join(get_args(Counts))}.")
    return season_file(name, number, sheet, form, cast(Counts, counts))


@blueprint.get("/t/<name>/archive.zip")
@needs(Needs.ORGANISER, "manage")
def tournament_archive(name: str) -> Response:
    """All that there is of a tournament."""
    return archive_file(name)


@blueprint.get("/archive.zip")
@needs(Needs.ORGANISER, "manage")
def archive() -> Response:
    """All that there is of all tournaments."""
    return archive_file()


@blueprint.get("/sheets/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def arena_sheet(sheet: str, form: str) -> Response:
    """A sheet about the whole arena."""
    return arena_file(sheet, form)
