"""A season's schedule: its open matches, updated with one result after another."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace

from card_arena.formats.field import Coming, Pairing, Placing, Planner, Player
from card_arena.formats.interventions import Intervention
from card_arena.formats.panels import Panel
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result
from card_arena.ratings.trueskill_ratings import NEWCOMER, Rating, fold

DIGITS = 9
"""Decimals of a rating that count: in the last ones two machines may differ."""


class RatingOrder:
    """The ratings of a season so far, and placings in their order, for `rank_by: rating`.

    `before` returns the ratings at the season's start; it is called when there are placings.
    Matches are rated in the order of their keys (ratings c.1), so a match is rated for good as soon
    as none with an earlier key is open.
    """

    def __init__(self, before: Callable[[], Mapping[int, Rating]]) -> None:
        self._before = before
        self._settled: Mapping[int, Rating] | None = None
        self._late: dict[str, Result] = {}

    def add(self, result: Result) -> None:
        self._late[result.key] = result

    def ranked(self, placings: Sequence[Placing], first: str | None) -> tuple[Placing, ...]:
        """The same placings by mu, the highest first; equal ones as their format ranks them.

        No match will come whose key is before `first`; with None, no match will come at all.
        """
        current = self._ratings(first) if placings else {}

        def order(placing: Placing) -> tuple[float, int]:
            rating = current.get(placing.version, NEWCOMER)
            return -round(rating.mu, DIGITS), placing.rank

        ordered = sorted(placings, key=order)
        keys = [*map(order, ordered)]
        return tuple(
            replace(placing, rank=1 + bisect_left(keys, key))
            for placing, key in zip(ordered, keys, strict=True)
        )

    def _ratings(self, first: str | None) -> Mapping[int, Rating]:
        if self._settled is None:
            self._settled = self._before()
        order = sorted(self._late)
        settled = [key for key in order if first is None or key < first]
        self._settled = fold(map(self._late.pop, settled), self._settled).current
        return fold(map(self._late.__getitem__, order[len(settled) :]), self._settled).current


AHEAD = 1_000
"""Open matches beyond which no further ones are opened, unless a result opens them."""


class Schedule:
    """A season's schedule, updated with one result after another.

    It depends on the set of results alone: neither on their order nor on repeats. The cost of a
    result is that of its format, however many came before, and so is the memory that it takes: of
    the matches that no result decides about, only the next ones are open. Standings are in the
    format's own order, or by rating if `ratings` returns those at the season's start; expelled
    bots come last.

    An intervention has its place among the results: the schedule depends on which came before it
    and which after it, but on no other order. `annulled` are the keys of the matches that a later
    intervention annuls.
    """

    def __init__(
        self,
        planner: Planner,
        ratings: Callable[[], Mapping[int, Rating]] | None = None,
        annulled: Container[str] = (),
    ) -> None:
        self._planner = planner
        self._rating_order = RatingOrder(ratings) if ratings else None
        self._annulled = annulled
        self._retractable: dict[str, tuple[Pairing, Result]] = {}
        self._expelled: set[int] = set()
        self._open: dict[str, Pairing] = {}
        self._early: dict[str, Result] = {}
        opened = planner.open()
        self._coming = opened if isinstance(opened, Coming) else None
        self._take(() if self._coming else opened)

    def tell(self, result: Result) -> tuple[Pairing, ...]:
        """Count a result; return the matches that it makes playable.

        The result of a match that is not open yet waits until the match opens.
        """
        pairing = self._open.pop(result.key, None)
        if pairing is None:
            self._early[result.key] = result
            return ()
        return self._take(self._settled(pairing, result))

    def intervene(self, what: Intervention) -> tuple[Pairing, ...]:
        """Apply an intervention; return the matches that it makes playable.

        Raises `CantAdmit`, and `ValueError` if it can't have happened here.
        """
        if what.ends:
            self._open.clear()
            self._coming = None
            return ()
        if what.kind == "annul":
            if what.key not in self._retractable:
                raise ValueError(f"{what.key}: the match was annulled, but it did not count")
            self._planner.retract(*self._retractable.pop(what.key))
            return ()
        if what.kind == "unplayed":
            if what.key not in self._open:
                raise ValueError(f"{what.key}: the match was left out, but it was not open")
            return self._take(self._planner.forgo(self._open.pop(what.key)))
        if what.entrant is not None:
            return self._take(self._planner.admit(Player.of(what.entrant)))
        assert what.version is not None
        if what.kind == "expel":
            self._expelled.add(what.version)
        if what.version in self._planner.gone:
            return ()
        self._planner.leave(what.version)
        forgone = [pairing for pairing in self.ready if what.version in pairing.versions]
        for pairing in forgone:
            del self._open[pairing.key]
        return self._take([new for pairing in forgone for new in self._planner.forgo(pairing)])

    def _take(self, new: Iterable[Pairing]) -> tuple[Pairing, ...]:
        """Open these matches, and more as long as there is room; return those to be played."""
        opened: dict[str, Pairing] = {}
        waiting = deque(new)
        while waiting or (self._coming and len(self._open) < AHEAD):
            pairing = waiting.popleft() if waiting else next(self._coming or iter(()), None)
            if pairing is None:
                self._coming = None
            elif not self._planner.gone.isdisjoint(pairing.versions):
                waiting.extend(self._planner.forgo(pairing))
            elif pairing.key in self._early:
                waiting.extend(self._settled(pairing, self._early.pop(pairing.key)))
            else:
                self._open[pairing.key] = opened[pairing.key] = pairing
        return tuple(sorted(opened.values(), key=_key))

    def _settled(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count the result of an open match; return the matches that it opens."""
        if result.key in self._annulled:
            self._retractable[result.key] = pairing, result
        elif self._rating_order is not None:
            self._rating_order.add(result)
        return self._planner.settle(pairing, result)

    def is_open(self, key: str) -> bool:
        return key in self._open

    @property
    def ready(self) -> tuple[Pairing, ...]:
        """The matches that may be played now, in playing order."""
        return tuple(sorted(self._open.values(), key=_key))

    @property
    def over(self) -> bool:
        """Whether everything is played."""
        return not self._open

    @property
    def to_come(self) -> int:
        """The number of matches not played yet."""
        coming = self._coming.left if self._coming else 0
        return len(self._open) + coming + self._planner.unopened

    @property
    def at_most(self) -> bool:
        """Whether `to_come` is only an upper bound."""
        if self._planner.at_most or (self._planner.gone and self.to_come != len(self._open)):
            return True
        return bool(self._coming and self._coming.at_most)

    @property
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first, expelled ones last."""
        placings = self._planner.standings()
        if self._rating_order is not None:
            placings = self._rating_order.ranked(placings, min(self._open, default=None))
        if not self._expelled:
            return placings
        stayed = [placing for placing in placings if placing.version not in self._expelled]
        expelled = [placing for placing in placings if placing.version in self._expelled]
        return tuple(
            replace(placing, rank=before + 1 + sum(other.rank < placing.rank for other in part))
            for before, part in ((0, stayed), (len(stayed), expelled))
            for placing in part
        )

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Return the panels that the format draws beside the standings."""
        return self._planner.panels()

    @property
    def tally(self) -> MarginTally | None:
        """The boards of this and all earlier seasons, if the next season continues from them."""
        return self._planner.tally


def _key(pairing: Pairing) -> str:
    return pairing.key
