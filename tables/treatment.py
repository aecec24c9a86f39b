"""How one seat treated another: what a test of soft play looks at."""

from __future__ import annotations

from typing import NamedTuple

from tables.game import Seat


class Treatment(NamedTuple):
    """One decision of a seat that did more or less for another one.

    `value` is how much it spared the `target`, or gave it, from 0 to 1. Decisions are compared with
    others of the same actor in the same `stratum`: a text that holds everything about the position
    that a fair player's choice might depend on, and nothing about who the target is.
    """

    actor: Seat
    target: Seat
    stratum: str
    value: float
