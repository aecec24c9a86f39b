"""The gauntlet: every entrant against the same reference bots, for marks that never move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ValidationInfo, field_validator
from pydantic import Field as Setting

from formats.base import Format, Names
from formats.field import (
    Coming,
    Field,
    MatchKey,
    Pairing,
    Placing,
    Planner,
    Player,
    author,
    placings,
)
from formats.pairing import Meetings, boards_of, earlier, placed
from formats.panels import Cell, Line, Mark, Panel, Thresholds, cell, reached
from ratings.intervals import Stratum, mean_of, stratified
from ratings.margin_fit import MarginTally, PairMargin
from ratings.match_results import MEAN_LEAD, Result, board_margins
from tables.seating import SeatingPlan

Opponents = tuple[int, ...]
"""The references beside an entrant, by version, in the order of the seats after its own."""

OpponentSet = tuple[int, ...]
"""The same in whatever order they sit, partners first."""

LONGEST_TITLE = 40
"""The most characters of a threshold's name."""


def _title(text: str) -> str:
    if not text.strip() or len(text) > LONGEST_TITLE or not text.isprintable():
        raise ValueError(f"must be named by 1 to {LONGEST_TITLE} characters")
    return text


def _mark(value: object) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not ((number and isfinite(value)) or isinstance(value, str)):  # type: ignore[arg-type]
        raise ValueError("must be points a game such as 0.5, or one of the bots under `against`")
    return value


class GauntletOptions(Meetings):
    """Every entrant plays the bots that `against` names; entrants never meet.

    `thresholds` are marks by name: a mean margin in points a game, or a bot of `against`, whose
    mark is reached by doing at least as well as it does. `grades` are what the thresholds are worth
    in a file of marks, by the same names: an entrant has the highest that it reached, else 0. A
    pair meets `meetings` times, over the tournament's `boards` each time; with `pairs: new` those
    of earlier seasons count.
    """

    against: Names
    thresholds: Mapping[
        Annotated[str, AfterValidator(_title)], Annotated[float | str, BeforeValidator(_mark)]
    ] = Setting(default_factory=dict)

    grades: Mapping[str, Annotated[float, Setting(ge=0, allow_inf_nan=False)]] = Setting(
        default_factory=dict
    )

    @field_validator("grades")
    @classmethod
    def _worth(cls, grades: Mapping[str, float], info: ValidationInfo) -> object:
        titles = info.data.get("thresholds", {})
        for title in grades:
            if title not in titles:
                raise ValueError(f"must be for the names under `thresholds`; {title!r} is none")
        return grades

    @field_validator("thresholds")
    @classmethod
    def _known(cls, marks: Mapping[str, float | str], info: ValidationInfo) -> object:
        against = info.data.get("against", ())
        for title, mark in marks.items():
            if isinstance(mark, str) and against and mark not in against:
                raise ValueError(
                    f"must be points a game, or one of the bots under `against`: {title} is"
                    f" {mark!r}"
                )
        return marks


class Gauntlet(Format[GauntletOptions]):
    """Entrants against fixed reference bots, which have no place themselves."""

    name = "gauntlet"
    options = GauntletOptions
    pairs_by_results = False
    fewest = 2
    only_by_points = "in a gauntlet nobody's mark depends on other entrants, as ratings do"

    def points_title(self, options: GauntletOptions, *, carries: bool) -> str:  # noqa: ARG002
        """A mean over the references."""
        return MEAN_LEAD

    def refusal(self, options: GauntletOptions, entrants: int) -> str:
        """Every table has an entrant, and references in all other opponents."""
        references = len(options.against)
        if references < entrants - 1:
            return (
                f"must be at most {references + 1} in a gauntlet against {references}: one entrant"
                " sits with references only"
            )
        return super().refusal(options, entrants)

    def references(self, options: GauntletOptions) -> Mapping[tuple[str | int, ...], str]:
        return {("against", place): name for place, name in enumerate(options.against)}

    def planner(self, field: Field, options: GauntletOptions) -> Planner:
        """Begin a season at the fullest table."""
        return _Gauntlet(field, options, field.tables[0])


class _Gauntlet(Planner):
    """A gauntlet whose matches are all open from the start: none of them depends on a result.

    Where several references sit at a table they take turns: as many tables as there are references,
    each with the ones that follow each other in their order, so that all are met equally often. A
    bot's points are the mean over these opponent_sets of its mean margin in their midst.
    """

    unopened = 0

    def __init__(self, field: Field, options: GauntletOptions, plan: SeatingPlan) -> None:
        self._field = field
        self._options = options
        self._plan = plan
        named = {name: _named(field, name) for name in options.against}
        self._references = {name: found for name, found in named.items() if found is not None}
        fixed = {*self._references.values()}
        self._companies = {
            version: self._turns(version) for version in field.versions if version not in fixed
        }
        self._strata = {
            version: {opponent_set: Stratum() for opponent_set in opponent_sets}
            for version, opponent_sets in self._companies.items()
        }
        self._tally = MarginTally()
        self._late = 0
        """The number of bots admitted after the season had begun."""
        self._before = sum(self._count(result) for result in earlier(field, plan, options))
        match = boards_of(plan)
        self._met = {
            version: {opponent_set: each.boards // match for opponent_set, each in strata.items()}
            for version, strata in self._strata.items()
        }

    def open(self) -> Coming:
        meetings = self._options.meetings
        missing = (meetings - found for met in self._met.values() for found in met.values())
        return Coming(self._seated(), sum(count for count in missing if count > 0))

    def _seated(self) -> Iterator[Pairing]:
        legs, tables = self._options.meetings, len(self._companies)
        turns = max(map(len, self._companies.values()), default=0)
        for leg, turn in product(range(1, legs + 1), range(turns)):
            for table, (version, opponent_sets) in enumerate(self._companies.items()):
                if turn >= len(opponent_sets):
                    continue
                opponent_set, opponents = list(opponent_sets.items())[turn]
                if self._met[version][opponent_set] >= leg:
                    continue
                key, labels = placed(self._field, (leg, legs), (turn + 1, turns), (table, tables))
                yield self._pairing(key, labels, leg, turn, (version, *opponents))

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:  # noqa: ARG002
        """Count the match's boards."""
        self._count(result)
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:  # noqa: ARG002
        """Count the match's boards no more."""
        self._count(result, -1)

    def admit(self, player: Player) -> Iterator[Pairing]:
        """Let it meet the references as often as the others do."""
        self._field = self._field.joined_by(player)
        opponent_sets = self._companies[player.version] = self._turns(player.version)
        self._strata[player.version] = {opponent_set: Stratum() for opponent_set in opponent_sets}
        self._late += 1
        legs, turns = self._options.meetings, len(opponent_sets)
        for leg, turn in product(range(1, legs + 1), range(turns)):
            key = self._field.key(
                f"u{self._late:03}", f"m{leg:0{len(str(legs))}}", f"r{turn + 1:0{len(str(turns))}}"
            )
            labels = (f"late entry {self._late}", f"meeting {leg}", f"round {turn + 1}")
            opponents = list(opponent_sets.values())[turn]
            yield self._pairing(key, labels, leg, turn, (player.version, *opponents))

    def _pairing(
        self, key: MatchKey, labels: tuple[str, ...], leg: int, turn: int, seats: tuple[int, ...]
    ) -> Pairing:
        """A match of an entrant and its opponents, seated in this order from a random seat."""
        first = self._field.shuffled(range(len(seats)), key.within("seats"))[0]
        return Pairing(
            key=str(key),
            leg=leg,
            round=turn + 1,
            labels=labels,
            versions=(*seats[first:], *seats[:first]),
            seating_plan=self._plan,
        )

    def standings(self) -> tuple[Placing, ...]:
        """By mean margin; references have no place."""
        found = {version: self._seen(version) for version in self._strata}
        return placings({v: float(mean_of(strata)) for v, strata in found.items() if strata})

    def panels(self) -> tuple[Panel, ...]:
        """Every entrant's margin over all references and over each, beside the thresholds."""
        pairs = self._tally.pairs()
        marks = [
            Mark(title, 0.0, self._references[mark]) if isinstance(mark, str) else Mark(title, mark)
            for title, mark in self._options.thresholds.items()
            if not isinstance(mark, str) or mark in self._references
        ]
        lines = [self._line(placing.version, marks, pairs) for placing in self.standings()]
        references = tuple(self._references.values())
        return (Thresholds(references, tuple(marks), tuple(lines), self._before),) if lines else ()

    def _line(
        self, version: int, marks: Sequence[Mark], pairs: Mapping[tuple[int, int], PairMargin]
    ) -> Line:
        margin = cell(stratified(self._seen(version)))
        against: dict[int | None, Cell | None] = {
            each: cell(pairs[version, each]) if (version, each) in pairs else None
            for each in self._references.values()
        }
        return Line(
            version,
            margin,
            tuple(against.values()),
            tuple(reached({None: margin, **against}[mark.reference], mark.value) for mark in marks),
        )

    def _seen(self, version: int) -> list[Stratum]:
        """The opponent_sets in which an entrant has played a board."""
        return [each for each in self._strata[version].values() if each.boards]

    def _turns(self, version: int) -> Mapping[OpponentSet, Opponents]:
        """Return the bots that sit with an entrant, table by table: references, each equally often.

        A reference of the entrant's own author is left out where authors are kept apart.
        """
        count = len(self._plan.sides) - 1
        authors = self._field.authors_at(self._plan)
        own = author(version, authors)
        free = [each for each in self._references.values() if author(each, authors) != own]
        if len(free) < count:
            return {}
        turns = [(*free[turn:], *free[:turn])[:count] for turn in range(len(free))]
        return {self._canonical(opponents): opponents for opponents in turns}

    def _canonical(self, opponents: Opponents) -> OpponentSet:
        sides = self._plan.sides
        seats = zip(sides[1:], opponents, strict=True)
        return _by_sides((side != sides[0], version) for side, version in seats)

    def _count(self, result: Result, times: int = 1) -> int:
        """Count a match, or count it no more; return its boards.

        They are 0 if it is none of an entrant in such opponent_set.
        """
        entrants = [place for place, each in enumerate(result.versions) if each in self._strata]
        if len(entrants) != 1:
            return 0
        (place,) = entrants
        version, own = result.versions[place], result.sides[place]
        opponent_set = _by_sides(
            (side != own, each)
            for side, each in zip(result.sides, result.versions, strict=True)
            if each != version
        )
        stratum = self._strata[version].get(opponent_set)
        if stratum is None:
            return 0
        boards = board_margins(result)
        games = max(1, result.games // len(boards))
        for board in boards:
            margin = Fraction(board[place]) / games
            stratum.add(margin, times)
        self._tally.add(result, times)
        return len(boards)


def _by_sides(opponents: Iterable[tuple[bool, int]]) -> OpponentSet:
    """Order versions, each with whether it is an opponent: partners first, then by id."""
    return tuple(version for _, version in sorted(opponents))


def _named(field: Field, name: str) -> int | None:
    """The player that a reference's name means; without a number, its newest version.

    None if it does not play, which no season begins with.
    """
    bot, _, number = name.partition("@")
    found = [
        (player.number, player.version)
        for player in field.players
        if player.bot == bot and number in ("", str(player.number))
    ]
    return max(found)[1] if found else None
