"""What organisers did to seasons, for programs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from leaderboard.proof.interventions import InterventionKind
from leaderboard.shapes.base import Shape, Text
from leaderboard.views.of_interventions import Done


class InterventionShape(Shape):
    """Something that was done to a season: to a bot, to a match, or to all of it."""

    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    made: datetime
    """When it was done."""
    kind: InterventionKind
    """What was done."""
    reason: Text
    """Why, as the organiser says."""
    bot: Text
    """The bot that it concerns; empty if it concerns none."""
    version: int
    """The number of the bot's version; 0 if it concerns none."""
    match: str | None
    """The address of the match that it concerns; null if it concerns none."""
    lifted: datetime | None
    """When a bot on probation passed the examination again; null if it has not."""


class Interventions(Shape):
    """What organisers did."""

    items: tuple[InterventionShape, ...]
    """The interventions, each of which is told in the ledger."""


def interventions(found: Iterable[Done]) -> Interventions:
    """What organisers did, in the order given."""
    names = [name for name in InterventionShape.model_fields if name != "match"]
    return Interventions(
        items=tuple(
            InterventionShape(match=each.key, **{name: getattr(each, name) for name in names})
            for each in found
        )
    )
