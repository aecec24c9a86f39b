"""What may be handed in, for programs: what holds, and what organisers set of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from leaderboard.door.entries import Limits, Quota, Team
from leaderboard.shapes.base import Shape, Text


class QuotaShape(Shape):
    """What a team may hand in."""

    a_day: int
    """Uploads in 24 hours."""
    deadline: datetime | None
    """Until when; null for ever."""
    grace: int
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int
    """The most bytes of an upload."""
    bots: int | None
    """The most bots of a team; null for as many as it likes."""
    bots_a_person: int | None
    """The most bots of one person; null for as many as they like."""


class LimitsShape(Shape):
    """What organisers have set; what is null is as it was without."""

    a_day: int | None
    """Uploads in 24 hours."""
    deadline: datetime | None
    """Until when."""
    grace: int | None
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int | None
    """The most bytes of an upload."""
    bots: int | None
    """The most bots of a team."""
    bots_a_person: int | None
    """The most bots of one person."""
    reason: Text
    """Why; empty if nobody has said."""


class LimitsOfTeam(Shape):
    """What organisers have set for one team."""

    team: Text
    """The team's name."""
    limits: LimitsShape
    """What is set."""


class AllLimits(Shape):
    """What may be handed in, by everybody and by single teams."""

    usual: QuotaShape
    """What the arena's settings say."""
    everybody: LimitsShape
    """What organisers have set for everybody."""
    now: QuotaShape
    """What a team may hand in for which nothing else is set."""
    teams: tuple[LimitsOfTeam, ...]
    """The teams for which something else is set, in order of name."""


def quota(found: Quota) -> QuotaShape:
    facts = {name: getattr(found, name) for name in QuotaShape.model_fields}
    return QuotaShape(**{**facts, "grace": _seconds(found.grace)})


def limits(found: Limits) -> LimitsShape:
    facts = {name: getattr(found, name) for name in LimitsShape.model_fields}
    return LimitsShape(**{**facts, "grace": None if found.grace is None else _seconds(found.grace)})


def all_limits(usual: Quota, everybody: Limits, teams: Mapping[Team, Limits]) -> AllLimits:
    return AllLimits(
        usual=quota(usual),
        everybody=limits(everybody),
        now=quota(everybody.over(usual)),
        teams=tuple(
            LimitsOfTeam(team=team.name, limits=limits(each)) for team, each in teams.items()
        ),
    )


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())
