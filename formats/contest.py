"""The contest of 2011: legs of a few rounds, at random tables, for chips that carry over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from card_arena.formats.base import Count, Format, Part
from card_arena.formats.field import Coming, Field, Pairing, Placing, Planner, Purse, placings
from card_arena.formats.pairing import leg_key, numbered, placed
from card_arena.formats.seating import Seated, seated_apart, seated_in_turn
from card_arena.ratings.margin_fit import MANY, ManyMargins, MarginTally
from card_arena.ratings.match_results import MEAN_LEAD, Result, margins
from card_arena.tables.seating import SeatingPlan

LEGS = 25
"""The legs of the contest of 2011."""


class ContestOptions(Part):
    """`legs` of `rounds` each, with a fresh start in each leg.

    Where nothing carries over, `points` are strengths fitted to all margins, which depend neither
    on a bot's opponents nor on the order of matches, or the plain means of its margins.

    If chips carry over, `broke` selects the final chips of a bot that can no longer pay: zero, or
    the chips that it still has.
    """

    legs: Count
    rounds: Count = 5
    broke: Literal["zero", "chips"] = "zero"
    points: Literal["fitted", "mean"] = "fitted"


class Contest(Format[ContestOptions]):
    """Legs of rounds, in which all bots are seated at random."""

    name = "contest"
    options = ContestOptions
    for_chips = True
    pairs_by_results = False

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:
        """As many legs as in 2011 for chips, and one for scores."""
        return {"legs": LEGS if for_chips else 1}

    def points_title(self, options: ContestOptions, *, carries: bool) -> str:
        if carries:
            return "mean chips"
        return self.points if options.points == "fitted" else MEAN_LEAD

    def planner(self, field: Field, options: ContestOptions) -> Planner:
        return _ForChips(field, options) if field.carries else _ForLeads(field, options)


class _Leg:
    """One leg as far as it has been seated: its tables, round by round.

    In each round all bots that can pay are shuffled and seated table by table, those with the
    fewest tables in this leg first. If chips carry over, the last table may be short; otherwise
    scores are compared, so all tables have the same size, and a bot without a place sits the round
    out. If bots of one author must not meet, `seated_apart` seats them.
    """

    def __init__(self, field: Field, options: ContestOptions, number: int) -> None:
        self._field = field
        self._options = options
        self._most = len(self.tables(len(field.players)))
        self._seated = dict.fromkeys(field.versions, 0)
        self._counted: Counter[int] = Counter()
        """The number of matches that count, by version."""
        self.number = number
        self.round = 0
        self.purses: dict[int, Purse] = dict.fromkeys(field.versions)
        self.shoes: dict[int, tuple[str, ...]] = {}
        """The cards that each table continues with, by its number."""

    def seat(self) -> list[Pairing]:
        """Seat the next round, table by table in the order that the recipe gives."""
        self.round += 1
        leg, round = (self.number, self._options.legs), (self.round, self._options.rounds)
        part = leg_key(self._field, leg).within(numbered("r", round))
        lots = self._field.shuffled(self._solvent(), part.within("seats"))
        order = sorted(lots, key=self._seated.__getitem__)
        pairings = []
        for table, (seating_plan, versions) in enumerate(self._tables_of(order)):
            for version in versions:
                self._seated[version] += 1
            key, labels = placed(self._field, leg, round, (table, self._most))
            pairings.append(
                Pairing(
                    key=str(key),
                    leg=self.number,
                    round=self.round,
                    labels=labels,
                    versions=versions,
                    seating_plan=seating_plan,
                    purses=self._brought(versions),
                    shoe=self.shoes.get(table, ()),
                )
            )
        return pairings

    def leave(self, version: int) -> None:
        """Seat a bot no more."""
        self.purses.pop(version, None)

    def settle(self, table: int, versions: Sequence[int], result: Result) -> None:
        """Carry over the chips and the shoe."""
        for version, purse in zip(versions, result.purses, strict=True):
            self._counted[version] += 1
            if version in self.purses:
                self.purses[version] = purse
        self.shoes[table] = result.shoe

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Subtract the chips that were won in a match, and add those that were lost."""
        brought = pairing.purses or (self._field.first_purse,) * len(pairing.versions)
        for version, before, after in zip(pairing.versions, brought, result.purses, strict=True):
            self._counted[version] -= 1
            held = self.purses.get(version)
            if held is not None:
                rest = max(0, held - (after - before))
                self.purses[version] = rest if self._counted[version] else None

    def unseated(self) -> int:
        """Return the number of tables in later rounds, unless another bot drops out.

        If bots of one author must not meet, it is an upper bound.
        """
        return (self._options.rounds - self.round) * len(self.tables(len(self._solvent())))

    def tables(self, bots: int) -> list[SeatingPlan]:
        """Set up tables for these bots: full ones and, for chips, one for the remaining bots."""
        tables: list[SeatingPlan] = []
        for seating_plan in self._field.tables:
            count, left = divmod(bots, len(seating_plan.sides))
            tables += [seating_plan] * count
            if not left or (tables and not self._field.carries):
                break
            bots = left
        return tables

    def _brought(self, versions: Sequence[int]) -> tuple[int, ...]:
        """Return the chips that these bots bring to a table; empty if all are at their first."""
        held = [self.purses[version] for version in versions]
        if all(purse is None for purse in held):
            return ()
        return tuple(self._field.first_purse if purse is None else purse for purse in held)

    def _tables_of(self, order: Sequence[int]) -> Seated:
        if not self._field.apart:
            return seated_in_turn(order, self.tables(len(order)))
        return seated_apart(order, self._field.authors, self._set_ups)

    def _set_ups(self, bots: int) -> Sequence[Sequence[SeatingPlan]]:
        """Tables for these bots; for chips also as many of them with nearly as many bots each."""
        usual = self.tables(bots)
        if not self._field.carries or len(usual) < 2:
            return (usual,)
        of_size = {len(plan.sides): plan for plan in self._field.tables}
        fewest, more = divmod(bots, len(usual))
        sizes = [fewest + 1] * more + [fewest] * (len(usual) - more)
        even = [of_size[size] for size in sizes if size in of_size]
        return (usual, even) if len(even) == len(usual) else (usual,)

    def final(self, version: int) -> Purse:
        """Return the chips recorded for a bot's leg; None if it sat at no table."""
        purse = self.purses.get(version)
        if purse is None:
            return None
        keeps = self._field.can_sit(purse) or self._options.broke == "chips"
        return purse if keeps else 0

    def _solvent(self) -> tuple[int, ...]:
        can_sit = self._field.can_sit
        return tuple(v for v, purse in self.purses.items() if can_sit(purse))


def _may_lack_a_table(field: Field) -> bool:
    """Whether a bot may have to sit a round out because bots of its author must not meet."""
    return field.apart and len({*field.authors.values()}) < len(field.players)


class _ForChips(Planner):
    """A contest in which each round of a leg waits for the previous one.

    A bot's points are its mean final chips over those legs that are complete and in which it sat at
    a table.
    """

    at_most = False

    def __init__(self, field: Field, options: ContestOptions) -> None:
        self._rounds = options.rounds
        self.at_most = _may_lack_a_table(field)
        self._legs = [_Leg(field, options, number) for number in range(1, options.legs + 1)]
        self._playing: list[dict[str, int]] = [{} for _ in self._legs]
        """The unfinished tables of each leg's current round, by their keys."""
        self._unseated = [0] * options.legs
        """The number of tables in later rounds of each leg."""
        self._finals: dict[int, dict[int, int]] = {version: {} for version in field.versions}
        """The chips of each version at the end of each complete leg in which it sat at a table."""

    def open(self) -> Iterator[Pairing]:
        """The first round of every leg."""
        for leg in self._legs:
            yield from self._next_round(leg)

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        """Carry over the chips and the shoe, or undo a match's effect on the chips."""
        leg = self._legs[pairing.leg - 1]
        if times > 0:
            leg.settle(self._playing[pairing.leg - 1][pairing.key], pairing.versions, result)
            return
        leg.retract(pairing, result)
        for version in pairing.versions:
            if leg.number in self._finals[version]:
                self._end(leg, version)

    def after(self, pairing: Pairing) -> Sequence[Pairing]:
        """The last table of a round opens the next round of its leg."""
        playing = self._playing[pairing.leg - 1]
        del playing[pairing.key]
        return () if playing else self._next_round(self._legs[pairing.leg - 1])

    def leave(self, version: int) -> None:
        """Seat a bot no more; the legs that were complete by then count."""
        super().leave(version)
        for leg, playing in zip(self._legs, self._playing, strict=True):
            if playing or leg.round < self._rounds:
                leg.leave(version)
                self._unseated[leg.number - 1] = leg.unseated()

    @property
    def unopened(self) -> int:
        return sum(self._unseated)

    def _end(self, leg: _Leg, version: int) -> None:
        """Record what a bot holds at the end of a leg, if it sat at a table."""
        final = leg.final(version)
        if final is None:
            self._finals[version].pop(leg.number, None)
        else:
            self._finals[version][leg.number] = final

    def standings(self) -> tuple[Placing, ...]:
        played = {version: legs for version, legs in self._finals.items() if legs}
        means = {version: sum(legs.values()) / len(legs) for version, legs in played.items()}
        return tuple(
            replace(placing, legs=tuple(sorted(played[placing.version].items())))
            for placing in placings(means)
        )

    def _next_round(self, leg: _Leg) -> Sequence[Pairing]:
        """Seat a leg's next round in which anybody can pay; without one, the leg is complete."""
        place = leg.number - 1
        while leg.round < self._rounds:
            pairings = leg.seat()
            self._unseated[place] = leg.unseated()
            if pairings:
                self._playing[place] = {pairing.key: n for n, pairing in enumerate(pairings)}
                return pairings
        for version in self._finals:
            self._end(leg, version)
        return ()


class _ForLeads(Planner):
    """A contest in which nothing carries over, so no match waits for another.

    A bot's points are its strength, fitted to the margins of all matches, or its mean margin: how
    far its score in a game is above the mean of its opponents', as `margins` computes it.
    """

    def __init__(self, field: Field, options: ContestOptions) -> None:
        self._field = field
        self._options = options
        self._margins: dict[int, Fraction] = dict.fromkeys(field.versions, Fraction())
        self._games = Counter[int]()
        self._leg: _Leg | None = None
        self._tally: MarginTally | ManyMargins = MarginTally()
        if len(field.players) > MANY and all(
            len({*plan.sides}) == len(plan.sides) for plan in field.tables
        ):
            self._tally = ManyMargins()

    def open(self) -> Coming:
        field, options = self._field, self._options
        leg = _Leg(field, options, 1)
        count = options.legs * options.rounds * len(leg.tables(len(field.players)))
        return Coming(self._seated(), count, most=_may_lack_a_table(field))

    def _seated(self) -> Iterator[Pairing]:
        for number in range(1, self._options.legs + 1):
            self._leg = leg = _Leg(self._field, self._options, number)
            for version in self.gone:
                leg.leave(version)
            for _ in range(self._options.rounds):
                yield from leg.seat()

    def leave(self, version: int) -> None:
        """Seat a bot in no round that is still to be drawn."""
        super().leave(version)
        if self._leg is not None:
            self._leg.leave(version)

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        self._tally.add(result, times)
        for version, margin in zip(result.versions, margins(result), strict=True):
            self._margins[version] += times * margin
            self._games[version] += times * len(pairing.seating_plan.seatings)

    def standings(self) -> tuple[Placing, ...]:
        """By fitted or mean margin."""
        if self._options.points == "fitted":
            strengths = self._tally.strengths()
            return placings({v: strengths[v] for v in self._field.versions if v in strengths})
        games = self._games
        return placings({v: float(m / games[v]) for v, m in self._margins.items() if games[v]})
