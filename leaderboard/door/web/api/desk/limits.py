"""What may be handed in, and until when, by everybody; single teams have limits beside them."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from leaderboard.door.entries import Limits
from leaderboard.door.shapes import of_limits
from leaderboard.door.shapes.of_limits import AllLimits
from leaderboard.door.storage.limits import LARGEST, LONGEST_GRACE, MOST
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.reading import Moment, Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person
from leaderboard.proof.ledger import LONGEST_REASON
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api


class NewLimits(Query):
    """What may be handed in; what is null or left out is as it is without."""

    a_day: int | None = Field(None, ge=1, le=MOST)
    """Uploads in 24 hours."""
    deadline: Moment | None = None
    """Until when."""
    grace: int | None = Field(None, ge=0, le=int(LONGEST_GRACE.total_seconds()))
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int | None = Field(None, ge=1, le=LARGEST)
    """The most bytes of an upload."""
    bots: int | None = Field(None, ge=1, le=MOST)
    """The most bots of a team."""
    bots_a_person: int | None = Field(None, ge=1, le=MOST)
    """The most bots of one person."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why."""


def limits_sent() -> Limits:
    """The limits that came with the request; raises `BadParameter`."""
    said = sent(NewLimits)
    return Limits(
        said.a_day,
        said.deadline,
        said.size,
        said.bots,
        said.bots_a_person,
        None if said.grace is None else timedelta(seconds=said.grace),
        said.reason,
    )


@blueprint.get("/desk/limits")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(AllLimits, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def limits() -> AllLimits:
    """What may be handed in, by everybody and by single teams."""
    return _shape()


@blueprint.put("/desk/limits")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewLimits,
    resp=Answers(AllLimits, 401, 403, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def limit_everybody() -> AllLimits:
    """Set what everybody may hand in, in place of all that was set before."""
    opened().door.set_limits(limits_sent(), None, person().id)
    return _shape()


@blueprint.delete("/desk/limits")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(AllLimits, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def everybody_as_usual() -> AllLimits:
    """Let everybody hand in what the arena's settings say."""
    opened().door.clear_limits(None, person().id)
    return _shape()


def _shape() -> AllLimits:
    there = opened()
    everybody, teams = there.door.limits()
    return of_limits.all_limits(there.settings.quota, everybody or Limits(), teams)
