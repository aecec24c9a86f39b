"""A queue: which new versions still need boards, and what is played next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leaderboard.panels.base import Panel


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version that is not known well enough: the boards it has played, and about how many more
    it needs.
    """

    version: int
    boards: int
    needed: int


@dataclass(frozen=True, slots=True)
class Contender:
    """A version that may be the best, with its chance in whole percent."""

    version: int
    chance: int


@dataclass(frozen=True, slots=True)
class Shares:
    """How an epoch's matches are shared out: to new versions, by lot, and to who may be best."""

    new: int
    by_lot: int
    best: int


@dataclass(frozen=True, slots=True)
class Queue(Panel):
    """What every new version still needs, the next to play first, and what comes next.

    `error` is the standard error below which a version is known well enough, as a share of the
    standard deviation of a board, and `boards` about how many that takes. `now` is this epoch,
    `then` the next one as far as it can be foreseen.
    """

    kind: ClassVar[str] = "queue"

    error: float
    boards: int
    waiting: tuple[Waiting, ...]
    contenders: tuple[Contender, ...]
    now: Shares
    then: Shares
