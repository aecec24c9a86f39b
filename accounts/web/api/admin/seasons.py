"""Tournaments on the admin pages: the next season, who sees the results, uploads and sheets."""

from __future__ import annotations

from typing import Any

from flask import Response
from pydantic import Field
from werkzeug.exceptions import NotFound

from card_arena.accounts.entries import Names, Uploads, Visibility, VisibilityShape
from card_arena.accounts.marks import Counts
from card_arena.accounts.storage.visibility import MOST_TOP
from card_arena.accounts.web.access import Needs, needs
from card_arena.accounts.web.api.blueprint import SECURITY, Moment, blueprint, sent
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.sheet_files import TYPES, ZIP, archive_file, arena_file, season_file
from card_arena.accounts.web.tournaments import MOST_CORES, cores_here, demand_known, plan, show
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.plans import Plan
from card_arena.leaderboard.web.api.answers import NUMBER, PageQuery, Query, one_page
from card_arena.leaderboard.web.api.description import Answers, api
from card_arena.leaderboard.web.pages.site import whole_site


class PlanQuery(Query):
    """What a season is to be planned for."""

    cores: int | None = Field(None, ge=1, le=MOST_CORES)
    """How many cores play it; those of the arena's machine without a number."""


class NewVisibility(Query):
    """Who is to see a tournament's results."""

    names: Names = "all"
    """Whose names others see: `all`, those of the first places (`top`), or one's `own` alone."""
    top: int | None = Field(None, ge=1, le=MOST_TOP)
    """How many places are told; goes with `top`, and only with it."""
    frozen: Moment | None = None
    """From when on new results are hidden; null opens them."""


@blueprint.get("/admin/tournaments/<name>/plan")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Plan, 401, 403, 404, cached=False), tags=["admin"], security=SECURITY)
def season_plan(name: str, query: PlanQuery) -> Plan:
    """Who would play in the next season, how many matches, and how long; nothing is played."""
    demand_known(name)
    found = plan(name, query.cores or cores_here())
    if found is None:
        raise NotFound(f"{name} is not announced, so it has no next season.")
    return Plan.model_validate(found)


@blueprint.get("/admin/tournaments/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(VisibilityShape, 401, 403, 404, cached=False), tags=["admin"], security=SECURITY
)
def visibility(name: str) -> VisibilityShape:
    """Who sees a tournament's results."""
    demand_known(name)
    return VisibilityShape.of(accounts_context().accounts.visibility(name), whole_site().zone)


@blueprint.put("/admin/tournaments/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewVisibility,
    resp=Answers(VisibilityShape, 401, 403, 404, cached=False),
    skip_validation=True,
    tags=["admin"],
    security=SECURITY,
)
def set_visibility(name: str) -> VisibilityShape:
    """Decide who sees a tournament's results."""
    demand_known(name)
    said = sent(NewVisibility)
    show(Visibility(name, said.names, said.top, said.frozen), person())
    return VisibilityShape.of(accounts_context().accounts.visibility(name), whole_site().zone)


@blueprint.get("/admin/uploads")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Uploads, 401, 403, 404, cached=False), tags=["admin"], security=SECURITY)
def uploads_of_all(query: PageQuery) -> Any:
    """The uploads of all teams, the newest first."""
    found = accounts_context().accounts.uploads_page(query.page, query.size)
    return one_page(Uploads.of(found), query)


class MarksQuery(Query):
    """Which version counts for marks."""

    counts: Counts = "last"
    """The version that came `last` before the deadline, or the `best` of those that came before."""


@blueprint.get("/admin/tournaments/<name>/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=(ZIP,), cached=False), tags=["admin"], security=SECURITY
)
def tournament_archive(name: str) -> Response:
    """All that there is of a tournament: marks, results, programs and proofs, in one zip."""
    return archive_file(name)


@blueprint.get("/admin/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, media=(ZIP,), cached=False), tags=["admin"], security=SECURITY
)
def archive() -> Response:
    """The same of all tournaments."""
    return archive_file()


@blueprint.get(f"/admin/tournaments/<name>/seasons/{NUMBER}/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, cached=False), tags=["admin"], security=SECURITY
)
def season_sheet(name: str, number: int, sheet: str, ending: str, query: MarksQuery) -> Response:
    """A sheet of a season as `csv`, `json` or `parquet`.

    It is `standings`, `matches`, `decisions`, `marks` or `moodle`.
    """
    return season_file(name, number, sheet, ending, query.counts)


@blueprint.get("/admin/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, cached=False), tags=["admin"], security=SECURITY
)
def arena_sheet(sheet: str, ending: str) -> Response:
    """The `versions`, `submissions`, `people` or `log` as `csv`, `json` or `parquet`."""
    return arena_file(sheet, ending)
