"""What a format is: a function from a season's field and results so far to the next matches.

A format is one file beside this one, and a line in `registry.py`. It brings a model of its options
and a `Planner`, which decides what each result makes possible. The rest is done here, once for all
formats: accepting results in any order, resuming a season from what is stored, ranking.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel

from formats.field import CantAdmit, Coming, Field, Pairing, Planner, Player, Purse
from formats.schedule import ByRating, Progress, Schedule

__all__ = [
    "CantAdmit",
    "Coming",
    "Field",
    "Format",
    "Pairing",
    "Planner",
    "Player",
    "Progress",
    "Purse",
    "Schedule",
    "table_name",
]

Options = TypeVar("Options", bound=BaseModel)


class Format(ABC, Generic[Options]):
    """A way to play a season; settings refer to it by `name`."""

    name: ClassVar[str]
    options: type[Options]
    """The model of its options, as the organiser writes them."""
    leg_title: ClassVar[str] = "leg"
    """The name of its widest parts, which `Pairing.leg` numbers."""
    for_chips: ClassVar[bool] = False
    """Whether bots may carry chips from match to match; else every match is a duplicate."""
    pairs_by_results: ClassVar[bool] = True
    """Whether results decide who meets whom; else it is fixed, or drawn by lot, before anything is
    played."""
    schedule_default: ClassVar[Literal["always"] | None] = None
    """The schedule of a tournament whose file names none: played once, or season after season."""
    fewest: ClassVar[int] = 1
    """The fewest entrants at a table; from 2 on bots are compared with whom they meet."""
    only_by_points: ClassVar[str] = ""
    """Why its standings can't go by ratings instead of its points; empty if they can."""

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:  # noqa: ARG002 - for those who do
        """The defaults of its options, as far as they depend on the game."""
        return {}

    def refusal(self, options: Options, entrants: int) -> str:  # noqa: ARG002 - for those who do
        """Why it can't be played at tables of this many entrants; empty if it can."""
        if entrants < self.fewest:
            return f"must be at least {self.fewest} in a {self.name}, where bots meet each other"
        return ""

    def references(self, options: Options) -> Mapping[tuple[str | int, ...], str]:  # noqa: ARG002
        """Bots without which a season can't begin, by their places in the options.

        They are entered in addition to the entrants, under the names that settings use, and last. A
        season in which one of them would sit out does not begin.
        """
        return {}

    @abstractmethod
    def points_title(self, options: Options, *, carries: bool) -> str:
        """The name of its points, given whether chips are carried on."""

    @abstractmethod
    def planner(self, field: Field, options: Options) -> Planner:
        """Begin a season."""

    def schedule(self, field: Field, options: Options, annulled: Container[str] = ()) -> Schedule:
        """The schedule of a season in which nothing has been played yet.

        `annulled` are the keys of matches that will have been played and then annulled.
        """
        by_rating = None if field.ratings is None else ByRating(field.ratings)
        return Schedule(self.planner(field, options), by_rating, annulled)


def table_name(table: int, most: int) -> str:
    """Name a table by its number from 0 to this maximum, so that text order is number order."""
    return chr(ord("a") + table) if most <= 26 else f"{table + 1:0{len(str(most))}}"
