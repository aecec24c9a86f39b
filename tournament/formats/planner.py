"""What decides who meets whom: a format's planner, told one result after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from common.errors import UserError
from leaderboard.panels.base import Panel
from leaderboard.results import Result
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.storage.entries import Placing
from tournament.formats.field import Pairing, Player


class CantAdmit(UserError):
    """A bot can't join a season that has begun; the message says why."""


class Coming(Iterator[Pairing]):
    """Matches that no result decides about, in the order in which they are opened.

    `left` counts those that are still to come; where this is only the `most` that there can be,
    there may be fewer.
    """

    def __init__(self, pairings: Iterable[Pairing], count: int, *, most: bool = False) -> None:
        self._pairings = iter(pairings)
        self._most = most
        self.left = count

    def __next__(self) -> Pairing:
        try:
            found = next(self._pairings)
        except StopIteration:
            self.left = 0
            raise
        self.left -= 1
        return found

    @property
    def at_most(self) -> bool:
        """Whether fewer may come than are left."""
        return self._most and self.left > 0


class Planner(ABC):
    """A format's decisions in one season.

    It is given the result of each match that it has opened, once, as soon as there is one. Open
    matches end in any order, and nothing may depend on that order. So a format that pairs by
    results decides in batches, whose size is frozen in its options, and opens a batch when the
    previous one is complete. Keys in text order are in playing order: a match that is opened has a
    later one than the first that is still open.
    """

    closed: ClassVar[str] = "all its matches were drawn when it began"
    """Why no bot can join once the season has begun, where none can."""

    gone: frozenset[int] = frozenset()
    """The versions that play no more."""

    @property
    def at_most(self) -> bool:
        """Whether `unopened` is only an upper bound."""
        return False

    @abstractmethod
    def open(self) -> Iterable[Pairing]:
        """The matches that may be played before there is any result.

        A planner that opens all of a long season gives them as `Coming`.
        """

    @abstractmethod
    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count the result of an open match; return the matches that it opens."""

    @abstractmethod
    def retract(self, pairing: Pairing, result: Result) -> None:
        """Count the result of a match no more. What it has decided stays decided."""

    def leave(self, version: int) -> None:
        """Pair a version no more; its open matches are forgone after that, one by one."""
        self.gone |= {version}

    def forgo(self, pairing: Pairing) -> Iterable[Pairing]:  # noqa: ARG002 - for those who do
        """Go on without an open match that is not played; return the matches that this opens."""
        return ()

    def admit(self, player: Player) -> Iterable[Pairing]:  # noqa: ARG002 - for those who do
        """Let one more play; return the matches that this opens. Raises `CantAdmit`."""
        raise CantAdmit(self.closed)

    @property
    @abstractmethod
    def unopened(self) -> int | None:
        """How many matches are still to be opened; None if that can't be known."""

    @abstractmethod
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""

    def panels(self) -> tuple[Panel, ...]:
        """What a page should draw beside the standings; by default nothing."""
        return ()

    @property
    def tally(self) -> LeadTally | None:
        """The boards of this and all earlier seasons, if the next season goes on from them."""
        return None
