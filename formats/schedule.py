"""A season's schedule: what may be played now, fed one result after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from formats.field import Coming, Pairing, Placing, Planner, Player
from formats.interventions import Intervention
from formats.panels import Panel
from ratings.margin_fit import MarginTally
from ratings.match_results import Result
from ratings.trueskill_ratings import NEWCOMER, Rating, fold

# Standings in the order of the ratings, for seasons whose file says `rank_by: rating`.
#
# A format plays on as ever and gives its points; only who stands before whom is another question.


DIGITS = 9
"""Decimals of a rating that count: in the last ones two machines may differ."""


class ByRating:
    """The ratings of a season as far as it is told, and placings in their order.

    `before` gives the ratings at the season's start; it is asked when there are placings. Matches
    are rated in the order of their keys (ratings c.1), so those that may still be preceded by
    another are kept; all others are rated for good.
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
        order = {
            each.version: (-round(current.get(each.version, NEWCOMER).mu, DIGITS), each.rank)
            for each in placings
        }
        found: list[Placing] = []
        for place, each in enumerate(sorted(placings, key=lambda it: order[it.version]), start=1):
            shares = found and order[found[-1].version] == order[each.version]
            found.append(replace(each, rank=found[-1].rank if shares else place))
        return tuple(found)

    def _ratings(self, first: str | None) -> Mapping[int, Rating]:
        if self._settled is None:
            self._settled = self._before()
        order = sorted(self._late)
        settled = [key for key in order if first is None or key < first]
        self._settled = fold(map(self._late.pop, settled), self._settled).current
        return fold(map(self._late.__getitem__, order[len(settled) :]), self._settled).current


AHEAD = 1_000
"""Open matches beyond which no further ones are opened, unless a result opens them."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a season has come.

    `ready` are the matches that may be played now, in parallel, in playing order. `standings` are
    the placings of the versions that have points, the best first. `to_come` counts the matches not
    yet played, including those that are ready: None if it can't be known, and an upper bound if
    `at_most` is set. `panels` are what the format draws. The season is over when nothing is ready.
    """

    ready: tuple[Pairing, ...]
    standings: tuple[Placing, ...]
    to_come: int | None
    at_most: bool = False
    panels: tuple[Panel, ...] = ()

    @property
    def points(self) -> Mapping[int, float]:
        """The format's own score of every version that has one."""
        return {placing.version: placing.points for placing in self.standings}


class Schedule:
    """A season's schedule, fed one result after another.

    What it says depends on the set of results alone: neither on their order nor on repeats. The
    cost of a result is that of its format, however many came before, and so is the memory that it
    takes: of the matches that no result decides about, only the next ones are open. Standings are
    in the format's own order unless they go `by_rating`; whoever was expelled comes last.

    Interventions have their place among the results: it depends on which were told before one and
    which after it, but on no other order. `annulled` are the keys of the matches that one of them
    is going to annul.
    """

    def __init__(
        self,
        planner: Planner,
        by_rating: ByRating | None = None,
        annulled: Container[str] = (),
    ) -> None:
        self._planner = planner
        self._by_rating = by_rating
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
            pairing = self._open.pop(str(what.key), None)
            if pairing is None:
                raise ValueError(f"{what.key}: the match was left out, but it was not open")
            return self._take(self._planner.forgo(pairing))
        if what.entrant is not None:
            return self._take(self._planner.admit(Player.of(what.entrant)))
        assert what.version is not None
        if what.kind == "expel":
            self._expelled.add(what.version)
        return self._leave(what.version)

    def _leave(self, version: int) -> tuple[Pairing, ...]:
        """Forgo the open matches of a version that plays no more."""
        if version in self._planner.gone:
            return ()
        self._planner.leave(version)
        forgone = sorted((p for p in self._open.values() if version in p.versions), key=_key)
        for pairing in forgone:
            del self._open[pairing.key]
        return self._take([new for each in forgone for new in self._planner.forgo(each)])

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
        elif self._by_rating is not None:
            self._by_rating.add(result)
        return self._planner.settle(pairing, result)

    def wants(self, key: str) -> bool:
        """Whether the result of this match is wanted now."""
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
    def to_come(self) -> int | None:
        """Return the number of matches not played yet; None if unknown."""
        unopened = self._planner.unopened
        coming = self._coming.left if self._coming else 0
        return None if unopened is None else len(self._open) + coming + unopened

    @property
    def at_most(self) -> bool:
        """Whether `to_come` is only an upper bound."""
        if self._planner.at_most or (self._planner.gone and self.to_come != len(self._open)):
            return True
        return bool(self._coming and self._coming.at_most)

    @property
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""
        placings = self._planner.standings()
        if self._by_rating is not None:
            placings = self._by_rating.ranked(placings, min(self._open, default=None))
        return _expelled_last(placings, self._expelled) if self._expelled else placings

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Return the panels that the format draws beside the standings."""
        return self._planner.panels()

    @property
    def tally(self) -> MarginTally | None:
        """The boards of this and all earlier seasons, if the next season goes on from them."""
        return self._planner.tally

    def progress(self, results: Iterable[Result] = ()) -> Progress:
        """Count these results and say how far the season has come."""
        for result in results:
            self.tell(result)
        return Progress(self.ready, self.standings, self.to_come, self.at_most, self.panels)


def _expelled_last(placings: Iterable[Placing], expelled: Collection[int]) -> tuple[Placing, ...]:
    """The same placings with those who were expelled below all others, in the same order."""
    placings = tuple(placings)
    stayed = [each for each in placings if each.version not in expelled]
    left = [each for each in placings if each.version in expelled]
    return tuple(
        replace(each, rank=before + 1 + sum(other.rank < each.rank for other in part))
        for before, part in ((0, stayed), (len(stayed), left))
        for each in part
    )


def _key(pairing: Pairing) -> str:
    return pairing.key
