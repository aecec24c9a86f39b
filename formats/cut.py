"""Successive halving: the weaker half is cut after every stage, until a few are left.

Every stage has as many matches as the first. The bots that are left share them, so the strongest
bots play most. That finds the best bot more often than any other format of the same cost; it says
less about the order of the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator
from pydantic import Field as Setting

from card_arena.formats.base import Count, Format, Part
from card_arena.formats.field import (
    CantAdmit,
    Field,
    MatchKey,
    Pairing,
    Placing,
    Planner,
    Player,
    placings,
)
from card_arena.formats.pairing import leg_key, numbered, table_name
from card_arena.formats.panels import Against, Cuts, Fate, Stage
from card_arena.formats.seating import TableSetup
from card_arena.ratings.certainty import Certainty
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result

FIGURES = 6
"""Decimals of the errors that decide and of the figures that are drawn.

Covariances may differ between machines in their last digits, and a season must not.
"""

Keep = Literal["half"] | float | tuple[int, ...]


def _keep(value: object) -> object:
    """Read `keep`; a number alone is a list of one."""
    numbers = [value] if type(value) is int else value
    if isinstance(numbers, list | tuple) and numbers:
        whole = all(type(number) is int for number in numbers)
        if whole and all(a > b for a, b in zip(numbers, [*numbers[1:], 0], strict=True)):
            return tuple(numbers)
    elif value == "half" or (isinstance(value, float) and 0 < value < 1):
        return value
    raise ValueError(
        "must be half, a share between 0 and 1 such as 0.25, or how many stay after each stage,"
        " fewer every time, such as [16, 8, 4]"
    )


class CutOptions(Part):
    """How many stay, and how long a stage is.

    After each stage `keep` stay: half of the bots, another share of them, or numbers stage by
    stage. In the first stage everybody plays `rounds` matches; each later stage has as many matches
    in all, for fewer bots. A bot below the line stays too if it is no more than `margin` standard
    errors below the last bot above it.
    """

    keep: Annotated[Keep, BeforeValidator(_keep)] = "half"
    rounds: Count = 30
    margin: Annotated[float, Setting(strict=True, ge=0, le=10)] = 0.5


class Cut(Format[CutOptions]):
    """Stages after which the weakest are cut."""

    name = "cut"
    options = CutOptions
    leg_title = "stage"
    points = "stage reached"
    only_by_points = "the order of a cut says who stayed in"

    def planner(self, field: Field, options: CutOptions) -> Planner:
        plan = field.fullest_table()
        return _Stages(field, options, TableSetup(field, plan)) if plan else Planner()


class _Stages(Planner):
    """A stage is a batch of matches; when it is complete, the next one begins with the bots left.

    Strengths are fitted to the boards of all stages so far, which finds the best bot more often
    than the boards of one stage. Every stage has the same number of matches, so a season ends,
    however many bots are too close to be cut.
    """

    def __init__(self, field: Field, options: CutOptions, setup: TableSetup) -> None:
        self._field = field
        self._options = options
        self._setup = setup
        self._left = field.versions
        self._late: list[int] = []
        """Versions that joined in this stage and play from the next one on."""
        self._places = _places(len(self._left), setup.size, options.keep)
        self._matches = options.rounds * (len(self._left) // setup.size)
        self._number = 0
        self._over = False
        self._reached: dict[int, int] = {}
        self._playing: set[str] = set()
        self._tally = MarginTally()
        self._past: list[Stage] = []

    def open(self) -> Iterator[Pairing]:
        """All matches of the next stage, if there is one."""
        if self._over or self._number == len(self._places):
            return
        self._number += 1
        self._reached |= dict.fromkeys(self._left, self._number)
        for pairing in self._seated():
            self._playing.add(pairing.key)
            yield pairing

    def count(self, pairing: Pairing, result: Result, times: int) -> None:  # noqa: ARG002
        self._tally.add(result, times)

    def after(self, pairing: Pairing) -> Sequence[Pairing]:
        """The last match of a stage makes the cut and opens the next stage."""
        self._playing.remove(pairing.key)
        if self._playing:
            return ()
        self._cut()
        return list(self.open())

    def admit(self, player: Player) -> Sequence[Pairing]:
        """The player plays from the next stage on."""
        if self._number == len(self._places):
            raise CantAdmit("the last stage has begun")
        self._field = self._field.joined_by(player)
        self._setup = TableSetup(self._field, self._setup.plan)
        self._late.append(player.version)
        return ()

    @property
    def unopened(self) -> int:
        """The matches of the stages to come: each has as many as the first."""
        return 0 if self._over else (len(self._places) - self._number) * self._matches

    def standings(self) -> tuple[Placing, ...]:
        """By the stage reached, then by the margin that is fitted to all boards of the season."""
        strengths = self._tally.strengths()
        seen = [version for version in self._reached if version in strengths]
        return placings(
            {version: float(self._reached[version]) for version in seen},
            {"margin": {version: strengths[version] for version in seen}},
        )

    def panels(self) -> tuple[Cuts, ...]:
        """The stages that are over as they were decided, and this one so far."""
        stages = [*self._past]
        if self._playing:
            stages.append(self._stage(self._tally.fit(), {}))
        return (Cuts(len(self._places), self._options.margin, tuple(stages)),) if stages else ()

    def _key(self) -> MatchKey:
        """The key of this stage, the prefix of its matches' keys."""
        return leg_key(self._field, (self._number, len(self._places)))

    def _seated(self) -> Iterator[Pairing]:
        """Round after round of the bots that are left, until the stage has its matches."""

        def part(number: int) -> MatchKey:
            return self._key().within(numbered("r", (number, self._matches)))

        def lots(number: int) -> Sequence[int]:
            return self._field.shuffled(self._left, part(number).within("seats"))

        most = len(self._left) // self._setup.size
        for number, tables in self._setup.rounds(self._matches, lots):
            for place, versions in enumerate(tables):
                name = table_name(place, most)
                labels = (f"stage {self._number}", f"round {number}", f"table {name.upper()}")
                key = str(part(number).within(name))
                yield Pairing(key, self._number, number, labels, versions, self._setup.plan)

    def _cut(self) -> None:
        """Keep the best, and the bots that are too close to the last of them to be cut."""
        fit = self._tally.fit()
        order = self._order(fit)
        places = self._places[self._number - 1]
        playing = [version for version in order if version not in self.gone]
        self._over = not self._setup.fill([*playing, *self._late])  # too many have left
        stay = list(order[:places])
        line = stay[-1]
        fates: dict[int, Fate] = {v: "out" if v in self.gone else "stays" for v in stay}
        last = self._over or self._number == len(self._places)
        for version in order[places:]:
            spared = not last and version not in self.gone and self._near(fit, version, line)
            fates[version] = "spared" if spared else "out"
            stay += [version] * spared
        while not last and not self._setup.fill([*stay, *self._late]):
            # not all bots left may meet each other: the next of another author stays
            version = next(version for version in playing if fates[version] == "out")
            fates[version] = "spared"
            stay.append(version)
        self._past.append(self._stage(fit, fates))
        stay = sorted((v for v in stay if v not in self.gone), key=order.index)
        self._left = (*stay, *(v for v in self._late if v not in self.gone))
        self._late = []

    def _near(self, fit: Certainty, version: int, line: int) -> bool:
        """Whether a version is within the margin of the line; not if that is unknown."""
        error = fit.difference_error(version, line)
        if error is None:
            return False
        behind = fit.values[line] - fit.values[version]
        return round(behind, FIGURES) <= round(self._options.margin * error, FIGURES)

    def _order(self, fit: Certainty) -> list[int]:
        """Return the versions left, the strongest first; equals at random, withdrawn ones last."""
        lots = self._field.shuffled(self._left, self._key().within("line"))
        return sorted(lots, key=lambda v: (v in self.gone, -fit.values.get(v, 0.0)))

    def _stage(self, fit: Certainty, fates: dict[int, Fate]) -> Stage:
        """This stage as a picture; without fates, as it stands."""
        order = self._order(fit)
        places = self._places[self._number - 1]
        line = order[places - 1]
        return Stage(
            number=self._number,
            places=places,
            matches=self._matches,
            over=bool(fates),
            versions=tuple(
                self._against(fit, version, line, fates.get(version, "open")) for version in order
            ),
        )

    def _against(self, fit: Certainty, version: int, line: int, fate: Fate) -> Against:
        margin = low = high = None
        if version == line:
            margin = 0.0
        elif {version, line} <= fit.values.keys():
            margin = round(fit.values[version] - fit.values[line], FIGURES)
            ends = fit.difference(version, line)
            if ends is not None and ends.low is not None and ends.high is not None:
                low, high = round(ends.low, FIGURES), round(ends.high, FIGURES)
        return Against(version, margin, low, high, self._tally.boards[version], fate)


def _places(bots: int, size: int, keep: Keep) -> tuple[int, ...]:
    """Return the number of places above the line of each stage; in the last stage there is one.

    The bots that stay fill a table of `size`. The numbers are those of a season in which no bot is
    spared, so spared bots don't make it longer.
    """
    if isinstance(keep, tuple):
        numbers = dict.fromkeys(max(size, places) for places in keep if places < bots)
        return (*(places for places in numbers if places < bots), 1)
    share = Fraction(1, 2) if keep == "half" else Fraction(str(keep))
    stages = []
    while bots > size:
        bots = max(size, min(bots - 1, math.ceil(bots * share)))
        stages.append(bots)
    return (*stages, 1)
