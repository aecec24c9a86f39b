"""A ladder: always on, epoch after epoch, with most of the matches where they tell most.

Every epoch is a season with a seed of its own, since a seed is published after a season's last
card. What it plays follows from the seasons before it and is fixed when it begins.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Annotated, ClassVar, Literal

from pydantic import Field as Setting

from card_arena.formats.base import Count, Format, Part
from card_arena.formats.field import Field, Pairing, Placing, Planner, Player, placings
from card_arena.formats.pairing import boards_of, table_name
from card_arena.formats.panels import Contender, Queue, Shares, Waiting
from card_arena.formats.seating import Pair, Tables, TableSetup, pair
from card_arena.ratings import certainty
from card_arena.ratings.certainty import chances
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, counted_boards

SCALE = 10**12
"""Claims on a meeting are whole numbers of this unit, so that they compare alike everywhere."""


class Knowledge:
    """Results of some versions at the boards at which only they sat, now and `before`.

    Boards of versions that have left are not counted: a ladder runs for years, and the cost of
    fitting strengths must depend on the current players only.
    """

    def __init__(self, players: Sequence[Player], before: MarginTally) -> None:
        self.players = players
        self._entered = {player.version for player in players}
        self.tally = before.within(self._entered)
        self.met: Counter[Pair] = self.tally.met()
        """On how many boards each pair has met."""

    def add(self, result: Result, times: int) -> None:
        """Count a match's boards; -1 `times` removes a match that was added before."""
        if not self._entered.issuperset(result.versions):
            return
        self.__dict__.pop("fit", None)  # fit again
        self.tally.add(result, times)
        boards = times * len(counted_boards(result))
        for one, other in combinations(result.versions, 2):
            self.met[pair(one, other)] += boards

    @cached_property
    def fit(self) -> certainty.Certainty:
        """The strengths and their errors."""
        return self.tally.fit()


@dataclass(frozen=True)
class Plan:
    """The tables of an epoch: `new` versions first, then random ones, then the `best`."""

    new: Tables
    by_lot: Tables
    best: Tables

    @property
    def shares(self) -> Shares:
        return Shares(len(self.new), len(self.by_lot), len(self.best))


class Epoch:
    """Decides the matches of one epoch from the results so far."""

    def __init__(self, knowledge: Knowledge, setup: TableSetup, options: LadderOptions) -> None:
        self._known = knowledge
        self._setup = setup
        self._matches = options.matches
        self._boards = boards_of(setup.plan)
        self._bound = Fraction(str(options.error)) ** 2
        self._by_lot = Fraction(str(options.by_lot))

    @property
    def enough(self) -> int:
        """About how many boards make a version known, against well-known opponents."""
        return math.ceil(self._weight / self._bound)

    @cached_property
    def needs(self) -> Mapping[int, int]:
        """Return the missing boards of each version not known well enough; the newest first.

        The variance of a strength is about that of a board, divided by the version's boards, plus
        those of its opponents' strengths, as far as it has met them. So this is known from counts
        alone, and is the same on every machine.
        """
        by_age = sorted(self._known.players, key=lambda p: (p.submitted, p.version))
        needs = {}
        for player in reversed(by_age):
            boards = self._known.tally.boards[player.version]
            if not boards:
                needs[player.version] = self.enough
                continue
            variance = self._variance(player.version, boards)
            if variance > self._bound:
                needs[player.version] = math.ceil(boards * (variance / self._bound - 1))
        return needs

    @cached_property
    def chances(self) -> Mapping[int, int]:
        """The chance of being the best, in whole percent, of each version that is known."""
        fit = self._known.fit
        fitted = [v for v in fit.values if v not in self.needs and fit.error(v) is not None]
        if len(fitted) < 2:
            return {}
        first = sorted(fitted, key=lambda version: (-fit.values[version], version))
        among = {pair: value for pair, value in fit.covariances.items() if {*pair} <= {*first}}
        variances = certainty.of_margins(first, fit.seen, among)
        shares = chances(
            [fit.values[version] for version in first],
            variances,
            [fmean(variances)] * len(first),
            min(fit.seen[version] for version in first) - 1,
        )
        return {version: round(100 * share) for version, share in zip(first, shares, strict=False)}

    def plan(self, lots: Callable[[str], Sequence[int]]) -> Plan:
        """Draw all tables of the epoch; `lots` returns the versions in random order for a label."""
        new = tuple(self._of_new(lots("new")))
        left = self._matches - len(new)
        by_lot = tuple(
            table
            for _, tables in self._setup.rounds(
                math.floor(left * self._by_lot + Fraction(1, 2)), lambda n: lots(f"lot/{n}")
            )
            for table in tables
        )
        return Plan(new, by_lot, tuple(self._of_best(left - len(by_lot), lots("best"))))

    @property
    def _weight(self) -> int:
        """The boards of one of several partners that tell as much as one board of a bot alone."""
        partners = self._setup.size // len({*self._setup.plan.sides})
        return partners**2

    def _variance(self, version: int, boards: int) -> Fraction:
        """The variance of a strength, about, in variances of a board."""
        others = Fraction()
        for player in self._known.players:
            met = self._known.met[pair(version, player.version)]
            if met and player.version != version:
                share = Fraction(met, boards * (self._setup.size - 1))
                others += share**2 / self._known.tally.boards[player.version]
        return self._weight * (Fraction(1, boards) + others)

    def _of_new(self, lots: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Tables for each version that is not known, the newest first, as many as it needs.

        It meets the versions that it has met least; boards at a newer version's table count too.
        """
        met = Counter(self._known.met)
        planned: Counter[int] = Counter()
        count = 0
        for version, needed in self.needs.items():
            others = [other for other in lots if other != version]
            while planned[version] < needed and count < self._matches:
                order = sorted(others, key=lambda other: met[pair(version, other)])
                table = self._setup.fill((version, *order))
                if not table:
                    break
                count += 1
                yield table
                planned.update(dict.fromkeys(table, self._boards))
                met.update(dict.fromkeys(_pairs(table), self._boards))

    def _of_best(self, matches: int, lots: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Tables for the versions that may be the best.

        Two meet in proportion to the product of their chances. At the least, the strongest fill a
        table.
        """
        strengths = self._known.fit.values if matches > 0 else {}
        strongest = sorted(lots, key=lambda version: -strengths.get(version, -math.inf))
        claims = {version: chance for version, chance in self.chances.items() if chance}
        for version in strongest:
            if self._setup.fill([*claims]):
                break
            claims.setdefault(version, 1)
        order = [version for version in lots if version in claims]
        met: Counter[Pair] = Counter()

        def claim(one: int, other: int) -> int:
            return claims[one] * claims[other] * SCALE // (1 + met[pair(one, other)])

        may_meet = self._setup.may_meet
        allowed = [both for both in combinations(order, 2) if may_meet(*both)]
        for _ in range(matches):
            table = list(max(allowed, key=lambda both: claim(*both)))
            while len(table) < self._setup.size:
                fitting = [v for v in order if all(may_meet(v, other) for other in table)]
                table.append(max(fitting, key=lambda v: sum(claim(v, other) for other in table)))
            met.update(_pairs(table))
            yield tuple(table)


def _pairs(table: Sequence[int]) -> list[Pair]:
    return [pair(one, other) for one, other in combinations(table, 2)]


SHOWN = 10
"""The most contenders that a page draws."""


class LadderOptions(Part):
    """The `matches` of an epoch.

    New versions come first, until the standard error of their strength is below `error` standard
    deviations of a board: .1 takes about a hundred boards. Of the other matches, the share `by_lot`
    is drawn among all, and the rest is for versions that may be the best.
    """

    matches: Count = 100
    error: Annotated[float, Setting(strict=True, ge=0.01, le=1)] = 0.1
    by_lot: Annotated[float, Setting(strict=True, ge=0, le=1)] = 0.3


class Ladder(Format[LadderOptions]):
    """Epochs without end, ranked by strengths that are fitted to the boards of all of them."""

    name = "ladder"
    options = LadderOptions
    schedule_default: ClassVar[Literal["always"] | None] = "always"

    def planner(self, field: Field, options: LadderOptions) -> Planner:
        plan = field.fullest_table()
        return _Epoch(field, options, TableSetup(field, plan)) if plan else Planner()


class _Epoch(Planner):
    """One epoch: a single batch of matches."""

    closed = "what an epoch plays is fixed when it begins"

    def __init__(self, field: Field, options: LadderOptions, setup: TableSetup) -> None:
        self._field = field
        self._options = options
        self._setup = setup
        self._all = (field.tally and field.tally()) or MarginTally(field.earlier())
        self._known = Knowledge(field.players, self._all)
        self._plan = Epoch(self._known, setup, options).plan(self._lots)

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
                    seating_plan=self._setup.plan,
                )

    def count(self, pairing: Pairing, result: Result, times: int) -> None:  # noqa: ARG002
        self._all.add(result, times)
        self._known.add(result, times)

    @property
    def tally(self) -> MarginTally:
        """The boards of all epochs, also of versions that have left: they may come back."""
        return self._all

    def standings(self) -> tuple[Placing, ...]:
        """By the margin that is fitted to all boards of the versions that are entered."""
        tally = self._known.tally
        strengths = tally.strengths()
        return placings(
            strengths, {"boards": {version: float(tally.boards[version]) for version in strengths}}
        )

    def panels(self) -> tuple[Queue, ...]:
        """Return the needs of new versions, the contenders, and the shares of the next epoch."""
        epoch = Epoch(self._known, self._setup, self._options)
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
                contenders=tuple(Contender(*item) for item in hopeful[:SHOWN] if item[1]),
                now=self._plan.shares,
                then=epoch.plan(lambda _label: self._field.versions).shares,
            ),
        )

    def _lots(self, label: str) -> Sequence[int]:
        return self._field.shuffled(self._field.versions, self._field.key("t01", label))
