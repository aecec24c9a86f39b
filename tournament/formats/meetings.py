"""Meetings: how often bots play each other, and how much of that earlier seasons hold already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from leaderboard.match_key import MatchKey
from leaderboard.results import Result, among
from tables.seating import SeatingPlan, boards
from tournament.fields import Count, Part
from tournament.formats.base import Field, table_name

MEETINGS = 10
"""How often bots meet by default: one board says little about two bots."""


class Meetings(Part):
    """`meetings` is how often bots meet, over the tournament's `boards` each time.

    With `pairs: new` bots that have met so often in earlier seasons, at the same table, don't meet
    again, and those boards count; with `pairs: all` every season begins anew.
    """

    meetings: Count = MEETINGS
    pairs: Literal["new", "all"] = "new"


Of = tuple[int, int]
"""A number, and the highest one of its kind in the season."""


def leg_key(field: Field, leg: Of) -> MatchKey:
    """Where the matches of a leg have their place; keys in text order are in playing order."""
    number, most = leg
    return field.key(f"t{number:0{max(2, len(str(most)))}}")


def placed(field: Field, leg: Of, round: Of, table: Of) -> tuple[MatchKey, tuple[str, ...]]:
    """The key of a match and its name for people; tables are numbered from 0."""
    name = table_name(*table)
    key = leg_key(field, leg).within(f"r{round[0]:0{len(str(round[1]))}}", name)
    legs = (f"leg {leg[0]}",) if leg[1] > 1 else ()
    return key, (*legs, f"round {round[0]}", f"table {name.upper()}")


def boards_of(plan: SeatingPlan) -> int:
    return boards(plan.seatings)[-1] + 1


def earlier(field: Field, plan: SeatingPlan, options: Meetings) -> Iterator[Result]:
    """What earlier seasons say about the versions that play now, unless all is to be anew.

    Matches at tables with more or fewer sides are left out: their scores can't be compared.
    """
    if options.pairs == "all":
        return
    playing = {*field.versions}
    for result in field.earlier():
        if sorted(result.sides) == sorted(plan.sides):
            found = among(result, playing)
            if found is not None:
                yield found
