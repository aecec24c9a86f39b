"""One format after another, each with the best of the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import pairwise
from typing import Any

from pydantic import RootModel, ValidationError, create_model, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from card_arena.formats.base import Choice, Count, Format, Formats, choice_of, with_defaults
from card_arena.formats.field import Field, MatchKey, Pairing, Placing, Planner, Player
from card_arena.formats.panels import Panel
from card_arena.formats.panels import StageHeading as Heading
from card_arena.ratings.match_results import Result

ROUNDS = 10_000
"""More rounds than a leg of any format has: rounds are numbered through all legs of a stage."""


class Stage(Choice):
    """One stage: a format, and how many of its `best` advance to the next one."""

    best: Count | None = None

    @model_validator(mode="before")
    @classmethod
    def _filled_in(cls, value: object) -> object:
        """Expand a format given only by its name, and fill in defaults."""
        if isinstance(value, str) and value in cls.formats:
            value = {value: {}}
        if not isinstance(value, Mapping):
            return value
        return with_defaults(cls.formats, value, for_chips=False)


class StageList(RootModel[tuple[Stage, ...]]):
    """The stages in playing order."""

    @model_validator(mode="before")
    @classmethod
    def _is_list(cls, value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) < 2:
            raise ValueError(
                "must be a list of two stages or more, such as [{swiss: {}, best: 8}, knockout]"
            )
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> StageList:
        wrong = [
            (number, message)
            for number, stage in enumerate(self.root)
            if (message := self._misfit(number, stage.best))
        ]
        if wrong:
            raise ValidationError.from_exception_data(
                "stages",
                [
                    InitErrorDetails(
                        type=PydanticCustomError("misfit", "{said}", {"said": message}),
                        loc=(number,),
                        input=self.root[number].model_dump(),
                    )
                    for number, message in wrong
                ],
            )
        return self

    def _misfit(self, number: int, best: int | None) -> str:
        """Return what is wrong with the number that advances from a stage, counted from 0."""
        if number == len(self.root) - 1:
            return "must not have `best`: no bot advances from the last stage" if best else ""
        if best is None:
            return "must say how many advance to the next stage, such as `best: 8`"
        reach = self.root[number - 1].best if number else None
        if reach and best >= reach:
            return f"must let fewer advance than reach it: `best: {best}` of {reach}"
        return ""


class Stages(Format[StageList]):
    """A season of several stages, each in one of the other formats."""

    name = "stages"
    leg_title = "stage"
    points = "stage reached"
    only_by_points = "the order of stages says who came how far"

    def __init__(self, formats: Formats) -> None:
        stage: Any = choice_of(formats, "Stage", Stage)
        self.options = create_model("StageList", __base__=StageList, root=(tuple[stage, ...], ...))

    def planner(self, field: Field, options: StageList) -> Planner:
        return _Stages(field, options.root)


@dataclass(slots=True)
class _Begun:
    """A stage that has begun: its planner, and the keys of its open matches.

    `advanced` are the versions in the next stage, once that has begun.
    """

    number: int
    stage: Stage
    field: Field
    planner: Planner
    playing: set[str] = dataclass_field(default_factory=set)
    advanced: tuple[int, ...] = ()

    def opened(self, pairings: Iterable[Pairing]) -> list[Pairing]:
        """Give these matches a place in the whole season."""
        opened = []
        for pairing in pairings:
            self.playing.add(pairing.key)
            *within, last = pairing.labels
            labels = (f"stage {self.number}", ", ".join(within), last)
            number = (pairing.leg - 1) * ROUNDS + pairing.round
            opened.append(replace(pairing, leg=self.number, round=number, labels=labels))
        return opened

    def placed(self) -> list[Placing]:
        """The placings of its players so far, those of equal rank at random."""
        lots = self.field.shuffled(self.field.versions, self.field.key("lots"))
        lot = {version: place for place, version in enumerate(lots)}
        placings = [placing for placing in self.planner.standings() if placing.version in lot]
        return sorted(placings, key=lambda placing: (placing.rank, lot[placing.version]))

    def advancing(self) -> tuple[int, ...]:
        """Return the versions that advance, the best first, without those that have left.

        If nothing could be played, the first ones advance.
        """
        order = [placing.version for placing in self.placed()] or self.field.versions
        gone = self.planner.gone
        return tuple([version for version in order if version not in gone][: self.stage.best])


def _in_stage(pairing: Pairing) -> Pairing:
    """A match with its leg and round as the planner of its stage counts them."""
    leg, round = divmod(pairing.round - 1, ROUNDS)
    return replace(pairing, leg=leg + 1, round=round + 1)


class _Stages(Planner):
    """The stages that have begun; the next one begins when the last one has no match left."""

    def __init__(self, field: Field, stages: Sequence[Stage]) -> None:
        self._field = field
        self._stages = stages
        self._begun: list[_Begun] = []
        self._later = self._bounds()

    def open(self) -> list[Pairing]:
        """Begin the next stage, and further ones as long as they have nothing to play."""
        while len(self._begun) < len(self._stages):
            now = self._begin()
            self._begun.append(now)
            if opened := now.opened(now.planner.open()):
                return opened
        return []

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        own = _in_stage(pairing)
        planner = self._begun[pairing.leg - 1].planner
        planner.count(own, replace(result, leg=own.leg, round=own.round), times)

    def after(self, pairing: Pairing) -> list[Pairing]:
        return self._opened(pairing, self._begun[-1].planner.after)

    def forgo(self, pairing: Pairing) -> list[Pairing]:
        return self._opened(pairing, self._begun[-1].planner.forgo)

    def _opened(
        self, pairing: Pairing, end: Callable[[Pairing], Iterable[Pairing]]
    ) -> list[Pairing]:
        """End a match of the current stage; its last match opens the next stage."""
        now = self._begun[-1]
        now.playing.remove(pairing.key)
        opened = now.opened(end(_in_stage(pairing)))
        return opened if opened or now.playing else self.open()

    def leave(self, version: int) -> None:
        super().leave(version)
        self._begun[-1].planner.leave(version)

    def admit(self, player: Player) -> list[Pairing]:
        """The player plays from this stage on, if the stage's format allows it."""
        now = self._begun[-1]
        opened = now.opened(now.planner.admit(player))
        now.field = now.field.joined_by(player)
        self._field = self._field.joined_by(player)
        return opened

    @property
    def at_most(self) -> bool:
        """A later stage is counted as if all its places were taken."""
        return len(self._begun) < len(self._stages) or self._begun[-1].planner.at_most

    @property
    def unopened(self) -> int:
        """The matches to come of this stage, and the most of later ones."""
        now = [begun.planner.unopened for begun in self._begun[-1:]]
        return sum([*self._later[len(self._begun) :], *now])

    def standings(self) -> tuple[Placing, ...]:
        """By the stage reached, and in each stage by its own order.

        Bots that have reached a stage and not yet played in it come last there.
        """
        placings: list[Placing] = []
        for now in reversed(self._begun):
            title = now.stage.kind.points_title(now.stage.options, carries=False)
            taken = {placing.version for placing in placings}
            before = len(placings)
            placed = [placing for placing in now.placed() if placing.version not in taken]
            for placing in placed:
                rank = before + 1 + sum(other.rank < placing.rank for other in placed)
                tie_breaks = ((title, placing.points), *placing.tie_breaks)
                placings.append(Placing(placing.version, rank, float(now.number), tie_breaks))
            if now is self._begun[-1] and now.number > 1:
                taken = {placing.version for placing in placings}
                waiting = [version for version in now.field.versions if version not in taken]
                last = len(placings) + 1
                placings += [Placing(version, last, float(now.number)) for version in waiting]
        return tuple(placings)

    def panels(self) -> tuple[Panel, ...]:
        """The panels of all stages that have begun, each below a heading."""
        return tuple(
            panel for now in self._begun for panel in (self._heading(now), *now.planner.panels())
        )

    def _heading(self, now: _Begun) -> Heading:
        over = now is not self._begun[-1]
        return Heading(
            number=now.number,
            stages=len(self._stages),
            title=now.stage.kind.name,
            players=len(now.field.players),
            best=now.stage.best,
            going_on=now.advanced if over else (),
        )

    def _begin(self) -> _Begun:
        players = self._field.players
        if self._begun:
            before = self._begun[-1]
            before.advanced = before.advancing()
            by_version = {player.version: player for player in players}
            players = tuple(map(by_version.__getitem__, before.advanced))
        number = len(self._begun) + 1
        field = self._stage_field(number, players)
        stage = self._stages[number - 1]
        return _Begun(number, stage, field, stage.kind.planner(field, stage.options))

    def _stage_field(self, number: int, players: tuple[Player, ...]) -> Field:
        place = (*self._field.place, f"s{number:0{len(str(len(self._stages)))}}")

        def earlier() -> list[Result]:
            """The results of the same stage in earlier seasons."""
            results = self._field.earlier()
            return [r for r in results if MatchKey.parse(r.key).place[: len(place)] == place]

        return replace(
            self._field,
            players=players,
            place=place,
            earlier=earlier,
            tally=None,
            ranked=number > 1,
        )

    def _bounds(self) -> list[int]:
        """Return the most matches of each stage; the first one's are never needed.

        A stage has most matches with all its places taken, or with so few bots that a smaller table
        is used.
        """
        bounds = [0]
        largest = max((len(table.sides) for table in self._field.tables), default=0)
        places = len(self._field.players)
        for number, (before, stage) in enumerate(pairwise(self._stages), start=2):
            places = min(places, before.best or places)
            counts = []
            for players in {places, *range(min(places, largest))}:
                field = self._stage_field(number, self._field.players[:players])
                field = replace(field, apart=False, earlier=tuple)
                counts.append(stage.schedule(field).to_come)
            bounds.append(max(counts))
        return bounds
