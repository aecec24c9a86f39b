"""A tournament at the desk: what its next season would be, and who sees its results."""

from __future__ import annotations

from pydantic import Field
from werkzeug.exceptions import NotFound

from leaderboard.door.entries import Names, Visibility
from leaderboard.door.shapes import of_visibility
from leaderboard.door.shapes.of_visibility import VisibilityShape
from leaderboard.door.storage.visibility import MOST_TOP
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.reading import Moment, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.tournaments import MOST_CORES, cores_here, demand_known, plan, show
from leaderboard.door.web.visitors import person
from leaderboard.shapes.of_plans import Plan
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import whole_site


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
    return of_visibility.visibility(opened().door.visibility(name), whole_site().zone)


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
    return of_visibility.visibility(opened().door.visibility(name), whole_site().zone)
