"""The contest of 2011: legs of a few rounds, at tables drawn by lot, for chips that carry over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from formats.base import Count, Format, Part, table_name
from formats.field import Coming, Field, Pairing, Placing, Planner, Purse, placings
from formats.seating import Seated, seated_apart, seated_in_turn
from ratings.margin_fit import MANY, ManyMargins, MarginTally
from ratings.match_results import MEAN_LEAD, Result, margins
from tables.seating import SeatingPlan

LEGS = 25
"""The legs of the contest of 2011, which called each a tourney."""


class ContestOptions(Part):
    """`legs` of `rounds` each, with a fresh start in each leg.

    Where nothing carries over, `points` are strengths fitted to all margins, which depend neither
    on whom a bot happened to meet nor on the order of matches, or the plain means of its margins.

    If chips carry over, `broke` says what is recorded for a bot that can no longer pay: nothing, or
    the chips that it still has.
    """

    legs: Count
    rounds: Count = 5
    broke: Literal["zero", "chips"] = "zero"
    points: Literal["fitted", "mean"] = "fitted"


class Contest(Format[ContestOptions]):
    """Legs of rounds, in which all bots are seated by lot."""

    name = "contest"
    options = ContestOptions
    for_chips = True
    pairs_by_results = False

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:
        """As many legs as in 2011 for chips, and one for scores."""
        return {"legs": LEGS if for_chips else 1}

    def points_title(self, options: ContestOptions, *, carries: bool) -> str:
        """Chips if they carry over, else margins."""
        if carries:
            return "mean chips"
        return "fitted margin" if options.points == "fitted" else MEAN_LEAD

    def planner(self, field: Field, options: ContestOptions) -> Planner:
        """Begin all legs; they don't depend on each other."""
        return _ForChips(field, options) if field.carries else _ForLeads(field, options)


class _Leg:
    """One leg as far as it has been seated: its tables, round by round.

    All bots start afresh. In each round all bots that can pay are shuffled and seated table by
    table, those with the fewest tables in this leg first. If chips carry over, the last table may
    be short; otherwise scores are compared, so all tables have the same size, and a bot without a
    place sits the round out. Where authors are kept apart, `seated_apart` has the recipe.
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
        field, legs, rounds = self._field, self._options.legs, self._options.rounds
        part = field.key(
            f"t{self.number:0{max(2, len(str(legs)))}}", f"r{self.round:0{len(str(rounds))}}"
        )
        lots = field.shuffled(self._solvent(), part.within("seats"))
        order = sorted(lots, key=self._seated.__getitem__)
        leg = (f"leg {self.number}",) if legs > 1 else ()
        pairings = []
        for table, (seating_plan, versions) in enumerate(self._tables_of(order)):
            for version in versions:
                self._seated[version] += 1
            name = table_name(table, self._most)
            pairings.append(
                Pairing(
                    key=str(part.within(name)),
                    leg=self.number,
                    round=self.round,
                    labels=(*leg, f"round {self.round}", f"table {name.upper()}"),
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
        """Take back what was won in a match, and give back what was lost."""
        brought = pairing.purses or (self._field.first_purse,) * len(pairing.versions)
        for version, before, after in zip(pairing.versions, brought, result.purses, strict=True):
            self._counted[version] -= 1
            held = self.purses.get(version)
            if held is not None:
                kept = max(0, held - (after - before))
                self.purses[version] = kept if self._counted[version] else None

    def unseated(self) -> int:
        """Return the number of tables in later rounds, unless another bot drops out.

        Where authors are kept apart, it is an upper bound.
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
        """Seat bots in the order of their lots."""
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
    """Whether a bot may have to sit a round out, since an author's bots are kept apart."""
    return field.apart and len({*field.authors.values()}) < len(field.players)


class _ForChips(Planner):
    """A contest in which each round of a leg waits for the previous one.

    A bot's points are its mean final chips over those legs that are complete and in which it sat at
    a table.
    """

    def __init__(self, field: Field, options: ContestOptions) -> None:
        self._rounds = options.rounds
        self._bound = _may_lack_a_table(field)
        self._legs = [_Leg(field, options, number) for number in range(1, options.legs + 1)]
        self._playing: list[dict[str, int]] = [{} for _ in self._legs]
        """The unfinished tables of each leg's current round, by their keys."""
        self._unseated = [0] * options.legs
        self._unopened = 0
        self._finals: dict[int, dict[int, int]] = {version: {} for version in field.versions}
        """The chips of each version at the end of each complete leg in which it sat at a table."""

    def open(self) -> Iterator[Pairing]:
        """The first round of every leg."""
        for leg in self._legs:
            yield from self._next_round(leg)

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:
        """Carry over the chips and the shoe; the last table of a round opens the next round."""
        leg = self._legs[pairing.leg - 1]
        table = self._playing[pairing.leg - 1].pop(pairing.key)
        leg.settle(table, pairing.versions, result)
        return self._after(leg)

    def forgo(self, pairing: Pairing) -> Sequence[Pairing]:
        """The others keep their chips; the last table of a round opens the next round."""
        del self._playing[pairing.leg - 1][pairing.key]
        return self._after(self._legs[pairing.leg - 1])

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Undo what a match did to the chips; rounds that went by them stay as they were."""
        leg = self._legs[pairing.leg - 1]
        leg.retract(pairing, result)
        for version in pairing.versions:
            if leg.number in self._finals[version]:
                self._end(leg, version)

    def leave(self, version: int) -> None:
        """Seat a bot no more; the legs that were complete by then count."""
        super().leave(version)
        for leg in self._legs:
            if not self._complete(leg):
                leg.leave(version)
                self._foresee(leg)

    def _complete(self, leg: _Leg) -> bool:
        return leg.round == self._rounds and not self._playing[leg.number - 1]

    def _after(self, leg: _Leg) -> Sequence[Pairing]:
        """Return the matches that a leg opens after one of its matches."""
        return () if self._playing[leg.number - 1] else self._next_round(leg)

    def _foresee(self, leg: _Leg) -> None:
        """Count the tables of a leg's later rounds."""
        place = leg.number - 1
        self._unopened -= self._unseated[place]
        self._unseated[place] = leg.unseated()
        self._unopened += self._unseated[place]

    def _end(self, leg: _Leg, version: int) -> None:
        """Record what a bot holds at the end of a leg, if it sat at a table."""
        final = leg.final(version)
        if final is None:
            self._finals[version].pop(leg.number, None)
        else:
            self._finals[version][leg.number] = final

    @property
    def at_most(self) -> bool:
        """Where one author's bots are kept apart, some may have to sit a round out."""
        return self._bound

    @property
    def unopened(self) -> int:
        """Return the number of tables in later rounds; exact unless a bot drops out."""
        return self._unopened

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
            self._foresee(leg)
            if pairings:
                self._playing[place] = {each.key: n for n, each in enumerate(pairings)}
                return pairings
        for version in self._finals:
            self._end(leg, version)
        return ()


class _ForLeads(Planner):
    """A contest in which nothing carries over, so no match waits for another.

    A bot's points are its strength, fitted to the margins of all matches, or its mean margin: how
    far its score in a game is above the mean of its opponents', as `margins` computes it.
    """

    unopened = 0

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

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:
        """Add each entrant's margin."""
        self._tally.add(result)
        self._count(pairing, result, 1)
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Subtract each entrant's margin."""
        self._tally.add(result, -1)
        self._count(pairing, result, -1)

    def leave(self, version: int) -> None:
        """Seat a bot in no round that is still to be drawn."""
        super().leave(version)
        if self._leg is not None:
            self._leg.leave(version)

    def _count(self, pairing: Pairing, result: Result, times: int) -> None:
        found = margins(result)
        for version, margin in zip(result.versions, found, strict=True):
            self._margins[version] += times * margin
            self._games[version] += times * len(pairing.seating_plan.seatings)

    def standings(self) -> tuple[Placing, ...]:
        """By fitted or mean margin."""
        if self._options.points == "fitted":
            strengths = self._tally.strengths()
            return placings({v: strengths[v] for v in self._field.versions if v in strengths})
        games = self._games
        return placings(
            {v: float(sum_ / games[v]) for v, sum_ in self._margins.items() if games[v]}
        )
