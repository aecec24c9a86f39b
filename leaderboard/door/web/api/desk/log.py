"""The log: who did what, and when."""

from __future__ import annotations

from pydantic import Field

from leaderboard.door.shapes import of_acts
from leaderboard.door.shapes.of_acts import Log
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.opened import opened
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api


class LogQuery(Query):
    """Which acts."""

    before: int | None = Field(None, ge=1, le=999_999_999)
    """Only those that are older than the act of this number."""
    search: str = Field("", max_length=80)
    """Only those of which the act, what it was done to, or the person holds this."""
    size: int = Field(50, ge=1, le=200)
    """The most acts of an answer."""


@blueprint.get("/desk/log")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Log, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def log(query: LogQuery) -> Log:
    """All acts, the newest first; `older` says how to go on."""
    return of_acts.log(*opened().door.log(query.size, query.before, query.search))
