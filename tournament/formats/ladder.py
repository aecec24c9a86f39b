"""A ladder: always on, an epoch after the other, with most of the matches where they tell most.

Every epoch is a season with a seed of its own, since a seed is published after a season's last
card. What it plays follows from the seasons before it and is fixed when it begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field as Setting

from leaderboard.panels.queue import Contender, Queue, Shares, Waiting
from leaderboard.results import Result
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.storage.entries import Placing
from tables.seating import boards
from tournament.fields import Count, Part
from tournament.formats.base import Field, Format, Pairing, Planner, table_name
from tournament.formats.epoch import Epoch, Knowledge, Plan
from tournament.formats.placing import placings
from tournament.formats.rounds import NothingToPlay, Room, room

SHOWN = 10
"""How many of those who may be the best are drawn."""


class LadderOptions(Part):
    """What an epoch plays: `matches` of them.

    New versions come first, until the standard error of their strength is below `error` standard
    deviations of a board: .1 takes about a hundred boards. Of the other matches, the share `by_lot`
    is drawn among all, and the rest goes to those who may be the best.
    """

    matches: Count = 100
    error: Annotated[float, Setting(strict=True, ge=0.01, le=1)] = 0.1
    by_lot: Annotated[float, Setting(strict=True, ge=0, le=1)] = 0.3


class Ladder(Format[LadderOptions]):
    """Epochs without end, ranked by strengths that are fitted to the boards of all of them."""

    name = "ladder"
    options = LadderOptions
    schedule_default: ClassVar[Literal["always"] | None] = "always"

    def points_title(self, options: LadderOptions, *, carries: bool) -> str:  # noqa: ARG002
        return "fitted lead"

    def planner(self, field: Field, options: LadderOptions) -> Planner:
        """Decide what this epoch plays by what the ones before it found."""
        found = room(field)
        return _Epoch(field, options, found) if found else NothingToPlay()


class _Epoch(Planner):
    """One epoch: a single batch of matches."""

    unopened = 0
    closed = "what an epoch plays is fixed when it begins"

    def __init__(self, field: Field, options: LadderOptions, room: Room) -> None:
        self._field = field
        self._options = options
        self._room = room
        self._all = (field.tally and field.tally()) or LeadTally(field.earlier())
        self._known = Knowledge(field.players, self._all)
        self._plan = self._epoch().plan(self._lots)

    def open(self) -> Iterator[Pairing]:
        """The whole epoch, its new versions first."""
        parts = {
            "new versions": self._plan.new,
            "drawn by lot": self._plan.by_lot,
            "who may be the best": self._plan.best,
        }
        for number, (part, tables) in enumerate(parts.items(), start=1):
            key = self._field.key("t01", f"r{number}")
            for place, versions in enumerate(tables):
                name = table_name(place, len(tables))
                yield Pairing(
                    key=str(key.within(name)),
                    leg=1,
                    round=number,
                    labels=(part, f"table {name.upper()}"),
                    versions=versions,
                    seating_plan=self._room.plan,
                )

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:  # noqa: ARG002
        """Count the leads; what follows from them is for the next epoch."""
        self._all.add(result)
        self._known.add(result)
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:  # noqa: ARG002
        """Count the leads no more."""
        self._all.remove(result)
        self._known.remove(result)

    @property
    def tally(self) -> LeadTally:
        """The boards of all epochs, also of versions that have left: they may come back."""
        return self._all

    def standings(self) -> tuple[Placing, ...]:
        """By the lead that is fitted to all boards of the versions that are entered."""
        tally = self._known.tally
        strengths = tally.strengths()
        return placings(
            strengths, {"boards": {version: float(tally.boards[version]) for version in strengths}}
        )

    def panels(self) -> tuple[Queue, ...]:
        """What new versions still need, who may be the best, and what comes next."""
        epoch = self._epoch()
        tally = self._known.tally
        hopeful = sorted(epoch.chances.items(), key=lambda item: (-item[1], item[0]))
        return (
            Queue(
                error=self._options.error,
                boards=epoch.enough,
                waiting=tuple(
                    Waiting(version, tally.boards[version], needed)
                    for version, needed in epoch.needs.items()
                ),
                contenders=tuple(Contender(*each) for each in hopeful[:SHOWN] if each[1]),
                now=_shares(self._plan),
                then=_shares(epoch.plan(lambda _label: self._field.versions)),
            ),
        )

    def _epoch(self) -> Epoch:
        """What an epoch plays by what is known now."""
        options = self._options
        games = self._room.plan.seatings
        return Epoch(
            self._known,
            self._room,
            matches=options.matches,
            boards=boards(games)[-1] + 1,
            error=options.error,
            by_lot=options.by_lot,
        )

    def _lots(self, label: str) -> Sequence[int]:
        return self._field.shuffled(self._field.versions, self._field.key("t01", label))


def _shares(plan: Plan) -> Shares:
    return Shares(len(plan.new), len(plan.by_lot), len(plan.best))
