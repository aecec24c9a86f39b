"""The cross table: who met whom, over how many boards, and with what lead a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard.panels.base import Panel
from leaderboard.statistics.intervals import Estimate
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.lead_sums import PairLead

DIGITS = 6
"""Decimals of a figure: more would be noise, and the last ones may differ between machines."""

Cell = tuple[int, float, float | None]
"""Boards, mean lead a game, and how far its 95 % interval reaches to either side.

With too few boards for an interval the last is None.
"""


@dataclass(frozen=True, slots=True)
class CrossTable(Panel):
    """What the common boards of every two versions show.

    `order` holds the versions, the best first. `rows` has a row for each of them, with a cell for
    each other one in this order; None stands for itself and for versions that it never met. `most`
    is the highest number of boards of a pair, and `fewest` the lowest of those that met. `before`
    is how many of all boards earlier seasons had.
    """

    kind: ClassVar[str] = "cross_table"

    order: tuple[int, ...]
    rows: tuple[tuple[Cell | None, ...], ...]
    fewest: int
    most: int
    before: int = 0


def cross_table(tally: LeadTally, order: Sequence[int], *, before: int = 0) -> CrossTable:
    """Draw the boards that these versions, the best first, had with each other."""
    pairs = tally.pairs()
    found = [pairs[two] for two in pairs if {*two} <= {*order}]
    rows = tuple(
        tuple(cell(pairs[one, other]) if (one, other) in pairs else None for other in order)
        for one in order
    )
    boards = [each.boards for each in found] or [0]
    return CrossTable(tuple(order), rows, min(boards), max(boards), before)


def cell(lead: PairLead | Estimate) -> Cell:
    """A lead as it is drawn."""
    if isinstance(lead, PairLead):
        lead = lead.estimate or Estimate(lead.lead, None, None, lead.boards)
    reach = None if lead.high is None else round(lead.high - lead.value, DIGITS)
    return lead.trials or 0, round(lead.value, DIGITS) + 0.0, reach
