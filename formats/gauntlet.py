"""The gauntlet: every entrant against the same reference bots, for marks that never move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ValidationInfo, field_validator
from pydantic import Field as Setting

from card_arena.formats.base import Format, Names
from card_arena.formats.field import (
    Coming,
    Field,
    Pairing,
    Placing,
    Planner,
    Player,
    author,
    placings,
)
from card_arena.formats.pairing import Meetings, Place, boards_of, earlier, placed, placed_late
from card_arena.formats.panels import Cell, Line, Mark, Panel, Thresholds, cell, reached
from card_arena.ratings.intervals import Stratum, mean_of, stratified
from card_arena.ratings.margin_fit import MarginTally, PairMargin
from card_arena.ratings.match_results import MEAN_LEAD, Result, board_margins
from card_arena.tables.seating import SeatingPlan

Opponents = tuple[int, ...]
"""The references beside an entrant, by version, in the order of the seats after its own."""

OpponentSet = tuple[int, ...]
"""The same, independent of their seats: sorted, partners first."""

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
    mark is reached with at least its margin. `grades` are the values of the thresholds in a file of
    marks, by the same names: an entrant has the highest that it reached, else 0. A pair meets
    `meetings` times, over the tournament's `boards` each time; with `pairs: new` those of earlier
    seasons count.
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
    points = MEAN_LEAD
    only_by_points = "in a gauntlet nobody's mark depends on other entrants, as ratings do"

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
        return _Gauntlet(field, options, field.tables[0])


class _Gauntlet(Planner):
    """A gauntlet whose matches are all open from the start: none of them depends on a result.

    References take turns at a table of several: as many tables as there are references, each with
    those that follow each other in their order, so that all are met equally often. A bot's points
    are the mean, over these sets of opponents, of its mean margin against them.
    """

    def __init__(self, field: Field, options: GauntletOptions, plan: SeatingPlan) -> None:
        self._field = field
        self._options = options
        self._plan = plan
        named = {name: _named(field, name) for name in options.against}
        self._references = {name: v for name, v in named.items() if v is not None}
        self._opponents: dict[int, Mapping[OpponentSet, Opponents]] = {}
        self._strata: dict[int, dict[OpponentSet, Stratum]] = {}
        for version in field.versions:
            if version not in self._references.values():
                self._enter(version)
        self._tally = MarginTally()
        self._late = 0
        """The number of bots admitted after the season had begun."""
        self._before = sum(self._add(result, 1) for result in earlier(field, plan, options))
        match = boards_of(plan)
        self._met = {
            version: {opponent_set: s.boards // match for opponent_set, s in strata.items()}
            for version, strata in self._strata.items()
        }

    def open(self) -> Coming:
        meetings = self._options.meetings
        missing = (max(0, meetings - n) for met in self._met.values() for n in met.values())
        return Coming(self._seated(), sum(missing))

    def _seated(self) -> Iterator[Pairing]:
        legs, tables = self._options.meetings, len(self._opponents)
        turns = max(map(len, self._opponents.values()), default=0)
        for leg, turn in product(range(1, legs + 1), range(turns)):
            for table, (version, opponent_sets) in enumerate(self._opponents.items()):
                if turn >= len(opponent_sets):
                    continue
                opponent_set, opponents = list(opponent_sets.items())[turn]
                if self._met[version][opponent_set] >= leg:
                    continue
                place = placed(self._field, (leg, legs), (turn + 1, turns), (table, tables))
                yield self._pairing(place, leg, turn, (version, *opponents))

    def count(self, pairing: Pairing, result: Result, times: int) -> None:  # noqa: ARG002
        self._add(result, times)

    def admit(self, player: Player) -> Iterator[Pairing]:
        """The player meets the references as often as the others do."""
        self._field = self._field.joined_by(player)
        self._enter(player.version)
        self._late += 1
        tables = [*self._opponents[player.version].values()]
        legs, turns = self._options.meetings, len(tables)
        for leg, (turn, opponents) in product(range(1, legs + 1), enumerate(tables)):
            place = placed_late(self._field, self._late, (leg, legs), (turn + 1, turns))
            yield self._pairing(place, leg, turn, (player.version, *opponents))

    def _enter(self, version: int) -> None:
        opponent_sets = self._opponents[version] = self._turns(version)
        self._strata[version] = {opponent_set: Stratum() for opponent_set in opponent_sets}

    def _pairing(self, place: Place, leg: int, turn: int, seats: tuple[int, ...]) -> Pairing:
        """A match of an entrant and its opponents, seated in this order from a random seat."""
        key, labels = place
        first = self._field.shuffled(range(len(seats)), key.within("seats"))[0]
        versions = (*seats[first:], *seats[:first])
        return Pairing(str(key), leg, turn + 1, labels, versions, self._plan)

    def standings(self) -> tuple[Placing, ...]:
        """By mean margin; references have no place."""
        seen = {version: self._seen(version) for version in self._strata}
        return placings({v: float(mean_of(strata)) for v, strata in seen.items() if strata})

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
            reference: cell(pairs[version, reference]) if (version, reference) in pairs else None
            for reference in self._references.values()
        }
        return Line(
            version,
            margin,
            tuple(against.values()),
            tuple(reached({None: margin, **against}[mark.reference], mark.value) for mark in marks),
        )

    def _seen(self, version: int) -> list[Stratum]:
        """The sets of opponents against which an entrant has played a board."""
        return [stratum for stratum in self._strata[version].values() if stratum.boards]

    def _turns(self, version: int) -> Mapping[OpponentSet, Opponents]:
        """Return the bots that sit with an entrant, table by table: references, each equally often.

        References that the entrant must not meet, being of its own author, are left out.
        """
        sides = self._plan.sides
        authors = self._field.authors_at(self._plan)
        own = author(version, authors)
        free = [other for other in self._references.values() if author(other, authors) != own]
        if len(free) < len(sides) - 1:
            return {}
        turns = [(*free[turn:], *free[:turn])[: len(sides) - 1] for turn in range(len(free))]
        return {_by_sides(0, sides, (version, *opponents)): opponents for opponents in turns}

    def _add(self, result: Result, times: int) -> int:
        """Count a match; return its boards, 0 if it is none of an entrant against references."""
        entrants = [n for n, version in enumerate(result.versions) if version in self._strata]
        if len(entrants) != 1:
            return 0
        (place,) = entrants
        opponent_set = _by_sides(place, result.sides, result.versions)
        stratum = self._strata[result.versions[place]].get(opponent_set)
        if stratum is None:
            return 0
        boards = board_margins(result)
        games = max(1, result.games // len(boards))
        for board in boards:
            stratum.add(Fraction(board[place]) / games, times)
        self._tally.add(result, times)
        return len(boards)


def _by_sides(place: int, sides: Sequence[int], versions: Sequence[int]) -> OpponentSet:
    """The others at the table of the version at this place."""
    others = [
        (side != sides[place], version)
        for side, version in zip(sides, versions, strict=True)
        if version != versions[place]
    ]
    return tuple(version for _, version in sorted(others))


def _named(field: Field, name: str) -> int | None:
    """The player that a reference's name refers to; without a number, its newest version.

    None if it does not play; no season begins like that.
    """
    bot, _, number = name.partition("@")
    versions = [
        (player.number, player.version)
        for player in field.players
        if player.bot == bot and number in ("", str(player.number))
    ]
    return max(versions)[1] if versions else None
