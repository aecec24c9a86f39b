"""Parts of a tournament's settings: the clock, what a bot may use, strikes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from common.faults import Fault
from common.units import Allowance, Duration, Size
from sandbox.kernel.seccomp import permitted
from sandbox.limits import PROFILES, Clock, Limits
from tables.referee import Strikes
from tournament.fields import Count, Part, Switch


class ClockFields(Part):
    """How long a bot may think: for every answer, for the first one, and in a game.

    `bank` is for all answers of a game together; `overrun` is how late an occasional answer may be.
    """

    question: Duration = Clock().question
    start: Duration = Clock().start
    bank: Duration | None = Clock().bank
    overrun: Allowance = Clock().overrun

    def clock(self) -> Clock:
        """Convert to the clock of a box's player."""
        return Clock(**self.model_dump())


class LimitsFields(Part):
    """The resources that one bot may use; those left out are as in the `laptop` profile."""

    cpu: Duration = Limits().cpu
    memory: Size = Limits().memory
    processes: Count = Limits().processes
    scratch: Size = Limits().scratch
    line: Size = Limits().line
    output: Size = Limits().output
    stopped_between_turns: Switch = Limits().stopped_between_turns
    calls: tuple[Annotated[str, AfterValidator(permitted)], ...] = Limits().calls

    def limits(self) -> Limits:
        return Limits(**self.model_dump())


class StrikesFields(Part):
    """How many faults a seat may commit, and which kinds are recorded without a strike."""

    limit: Count = Strikes().limit
    forgiven: tuple[Fault, ...] = ()

    def strikes(self) -> Strikes:
        return Strikes(self.limit, frozenset(self.forgiven))


def _profile(value: object) -> object:
    """Expand a profile's name into its fields, so that a season keeps the numbers."""
    if not isinstance(value, str):
        return value
    if value not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}, or fields such as memory: 256MiB")
    return LimitsFields.model_construct(**asdict(PROFILES[value]))


ProfileOrFields = Annotated[LimitsFields, BeforeValidator(_profile)]
"""Limits as fields, or by the name of a profile."""
