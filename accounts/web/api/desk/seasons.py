"""Orders about seasons and bots, which the arena carries out between two matches."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from flask import Response
from pydantic import Field
from werkzeug.exceptions import NotFound

from accounts import ordering
from accounts.entries import Act, Names, Orders, Uploads, Visibility, VisibilityShape
from accounts.marks import Counts
from accounts.ordering import SeasonOrder, Wanted
from accounts.storage.visibility import MOST_TOP
from accounts.web.access import Needs, needs, own_bot
from accounts.web.api.blueprint import SECURITY, Moment, Said, blueprint, sent
from accounts.web.api.orders import ordered, ordered_about_bot
from accounts.web.opened import opened
from accounts.web.sheet_files import TYPES, ZIP, archive_file, arena_file, season_file
from accounts.web.tournaments import MOST_CORES, cores_here, demand_known, plan, show
from accounts.web.visitors import person
from leaderboard.shapes.seasons import Plan
from leaderboard.web.api.answers import NUMBER, PageQuery, Query, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import whole_site
from results.proof.ledger import LONGEST_REASON

Tag = Annotated[Said, Field(min_length=1)]


class OrderForSeason(Query):
    """Something that is to be done to a tournament's season."""

    what: SeasonOrder
    """What."""
    bot: Said = ""
    """Whom to expel or to admit: a bot, or one of its versions as `bot@2`."""
    place: Said = ""
    """What to annul: a match's key, or the number of a season."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why; only `resume` needs no reason. It stays on the pages that it concerns."""


class OrderAtDesk(Query):
    """Something that is to be done with any bot."""

    what: Literal["tag", "untag", "move", "examine"]
    """What."""
    tags: tuple[Tag, ...] = Field((), max_length=100)
    """The tags to give or to take away."""
    name: Said = ""
    """What a bot that moves is called from now on; empty if it keeps its name."""
    author: Said = ""
    """Whose a bot that moves is from now on; empty if it keeps its author."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why a bot moves."""


@blueprint.get("/desk/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Orders, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def waiting_orders() -> Orders:
    """The first 100 orders that wait, the oldest first."""
    return Orders(items=opened().door.orders())


@blueprint.post("/desk/tournaments/<name>/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=OrderForSeason,
    resp=Answers(Act, 401, 403, 404, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def order_about_season(name: str) -> Any:
    """Expel or admit a bot, annul a match or a season, pause a tournament or let it go on."""
    demand_known(name)
    said = sent(OrderForSeason)
    return ordered(
        ordering.about_season(
            opened().door, person(), name, said.what, said.bot, said.place, said.reason
        )
    )


@blueprint.post("/desk/bots/<name>/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=OrderAtDesk,
    resp=Answers(Act, 401, 403, 404, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def order_at_desk(name: str) -> Any:
    """Give a bot tags or take them away, move it to another name or author, or examine it."""
    door, store, who = opened().door, whole_site().store, person()
    author = own_bot(who, name)
    said = sent(OrderAtDesk)
    if said.what == "examine":
        return ordered_about_bot(who, name, author, Wanted("examine"))
    if said.what == "move":
        return ordered(ordering.move(door, store, who, name, said.name, said.author, said.reason))
    takes = said.what == "untag"
    return ordered(ordering.tags(door, store, who, name, said.tags, takes=takes))


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


@blueprint.get("/desk/tournaments/<name>/plan")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Plan, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def season_plan(name: str, query: PlanQuery) -> Plan:
    """Who would play in the next season, how many matches, and how long; nothing is played."""
    demand_known(name)
    found = plan(name, query.cores or cores_here())
    if found is None:
        raise NotFound(f"{name} is not announced, so it has no next season.")
    return Plan.model_validate(found)


@blueprint.get("/desk/tournaments/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(VisibilityShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def visibility(name: str) -> VisibilityShape:
    """Who sees a tournament's results."""
    demand_known(name)
    return VisibilityShape.of(opened().door.visibility(name), whole_site().zone)


@blueprint.put("/desk/tournaments/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewVisibility,
    resp=Answers(VisibilityShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def set_visibility(name: str) -> VisibilityShape:
    """Decide who sees a tournament's results."""
    demand_known(name)
    said = sent(NewVisibility)
    show(Visibility(name, said.names, said.top, said.frozen), person())
    return VisibilityShape.of(opened().door.visibility(name), whole_site().zone)


@blueprint.get("/desk/uploads")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Uploads, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def uploads_of_all(query: PageQuery) -> Any:
    """What all teams handed in, the newest first."""
    found = opened().door.uploads_page(query.page, query.size)
    return one_page(Uploads.of(found), query)


class MarksQuery(Query):
    """Which version counts for marks."""

    counts: Counts = "last"
    """The version that came `last` before the deadline, or the `best` of those that came before."""


@blueprint.get("/desk/tournaments/<name>/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=(ZIP,), kept=False), tags=["desk"], security=SECURITY
)
def tournament_archive(name: str) -> Response:
    """All that there is of a tournament: marks, results, programs and proofs, in one zip."""
    return archive_file(name)


@blueprint.get("/desk/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, media=(ZIP,), kept=False), tags=["desk"], security=SECURITY
)
def archive() -> Response:
    """The same of all tournaments."""
    return archive_file()


@blueprint.get(f"/desk/tournaments/<name>/seasons/{NUMBER}/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def season_sheet(name: str, number: int, sheet: str, ending: str, query: MarksQuery) -> Response:
    """A sheet of a season as `csv`, `json` or `parquet`.

    It is `standings`, `matches`, `decisions`, `marks` or `moodle`.
    """
    return season_file(name, number, sheet, ending, query.counts)


@blueprint.get("/desk/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def arena_sheet(sheet: str, ending: str) -> Response:
    """The `versions`, `submissions`, `people` or `log` as `csv`, `json` or `parquet`."""
    return arena_file(sheet, ending)
