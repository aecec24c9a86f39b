"""One format after another, each with the best of the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import pairwise
from typing import Any

from pydantic import RootModel, ValidationError, create_model, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from formats.base import Choice, Count, Format, Formats, choice_of, with_defaults
from formats.field import Field, MatchKey, Pairing, Placing, Planner, Player
from formats.panels import Panel
from formats.panels import StageHeading as Heading
from ratings.match_results import Result

ROUNDS = 10_000
"""More rounds than a leg of any format has: rounds are numbered through all legs of a stage."""


class Stage(Choice):
    """One stage: a format, and how many of its `best` go on to the next one."""

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
        """Say what is wrong with how many go on from a stage, counted from 0."""
        if number == len(self.root) - 1:
            return "must not have `best`: nobody goes on from the last stage" if best else ""
        if best is None:
            return "must say how many go on to the next stage, such as `best: 8`"
        reach = self.root[number - 1].best if number else None
        if reach and best >= reach:
            return f"must let fewer go on than reach it: `best: {best}` of {reach}"
        return ""


class Stages(Format[StageList]):
    """A season of several stages, each in one of the other formats."""

    name = "stages"
    leg_title = "stage"
    only_by_points = "the order of stages says who came how far"

    def __init__(self, formats: Formats) -> None:
        stage: Any = choice_of(formats, "Stage", Stage)
        self.options = create_model("StageList", __base__=StageList, root=(tuple[stage, ...], ...))

    def points_title(self, options: StageList, *, carries: bool) -> str:  # noqa: ARG002
        """What the standings go by first."""
        return "stage reached"

    def planner(self, field: Field, options: StageList) -> Planner:
        return _Stages(field, options.root)


@dataclass(slots=True)
class _Begun:
    """A stage that has begun: its planner, and its open matches as the planner knows them.

    `went_on` are those who have reached the next stage, once that has begun.
    """

    number: int
    stage: Stage
    field: Field
    planner: Planner
    playing: dict[str, Pairing] = dataclass_field(default_factory=dict)
    went_on: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        return self.stage.kind.points_title(self.stage.options, carries=False)

    def opened(self, pairings: Iterable[Pairing]) -> list[Pairing]:
        """Give these matches a place in the whole season."""
        found = []
        for each in pairings:
            self.playing[each.key] = each
            *within, last = each.labels
            labels = (f"stage {self.number}", ", ".join(within), last)
            number = (each.leg - 1) * ROUNDS + each.round
            found.append(replace(each, leg=self.number, round=number, labels=labels))
        return found

    def settle(self, pairing: Pairing, result: Result) -> list[Pairing]:
        """Count a result as the stage's own planner numbers its matches."""
        own = self.playing.pop(pairing.key)
        return self.opened(self.planner.settle(own, replace(result, leg=own.leg, round=own.round)))

    def forgo(self, pairing: Pairing) -> list[Pairing]:
        """Go on without a match."""
        return self.opened(self.planner.forgo(self.playing.pop(pairing.key)))

    def retract(self, pairing: Pairing, result: Result) -> None:
        before, earlier = divmod(pairing.round - 1, ROUNDS)
        leg, round = before + 1, earlier + 1
        own = replace(pairing, leg=leg, round=round)
        self.planner.retract(own, replace(result, leg=leg, round=round))

    def admit(self, player: Player) -> list[Pairing]:
        """Let one more play in this stage, if its format can."""
        opened = self.opened(self.planner.admit(player))
        self.field = self.field.joined_by(player)
        return opened

    def placed(self) -> list[Placing]:
        """The placings of its players so far, those of equal rank by lot."""
        lots = self.field.shuffled(self.field.versions, self.field.key("lots"))
        lot = {version: place for place, version in enumerate(lots)}
        found = [each for each in self.planner.standings() if each.version in lot]
        return sorted(found, key=lambda each: (each.rank, lot[each.version]))

    def going_on(self) -> tuple[int, ...]:
        """Return the versions that go on, the best first, without those that have left.

        Where nothing could be played, the first ones go on.
        """
        order = [each.version for each in self.placed()] or self.field.versions
        gone = self.planner.gone
        return tuple([version for version in order if version not in gone][: self.stage.best])


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

    def settle(self, pairing: Pairing, result: Result) -> list[Pairing]:
        """Tell the stage; its last match opens the next stage."""
        now = self._begun[-1]
        opened = now.settle(pairing, result)
        return opened if opened or now.playing else self.open()

    def forgo(self, pairing: Pairing) -> list[Pairing]:
        """Tell the stage; its last match opens the next stage."""
        now = self._begun[-1]
        opened = now.forgo(pairing)
        return opened if opened or now.playing else self.open()

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Tell the stage in which it was played; whoever has gone on stays there."""
        self._begun[pairing.leg - 1].retract(pairing, result)

    def leave(self, version: int) -> None:
        """It plays no more in this stage, and in no later one."""
        super().leave(version)
        self._begun[-1].planner.leave(version)

    def admit(self, player: Player) -> list[Pairing]:
        """Let it play from this stage on, if the stage's format can."""
        opened = self._begun[-1].admit(player)
        self._field = self._field.joined_by(player)
        return opened

    @property
    def at_most(self) -> bool:
        """A later stage is counted as if all its places were taken."""
        return len(self._begun) < len(self._stages) or self._begun[-1].planner.at_most

    @property
    def unopened(self) -> int | None:
        """The matches to come of this stage, and as many as later ones may have at most."""
        counts = self._later[len(self._begun) :]
        if self._begun:
            counts = [*counts, self._begun[-1].planner.unopened]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def standings(self) -> tuple[Placing, ...]:
        """By the stage reached, and in each stage as it has them.

        Whoever has reached a stage and not yet played in it comes last there.
        """
        found: list[Placing] = []
        for now in reversed(self._begun):
            taken = {placing.version for placing in found}
            before = len(found)
            placed = [each for each in now.placed() if each.version not in taken]
            for each in placed:
                better = sum(other.rank < each.rank for other in placed)
                parted = ((now.title, each.points), *each.tie_breaks)
                rank = before + better + 1
                found.append(Placing(each.version, rank, float(now.number), parted))
            taken.update(each.version for each in placed)
            if now is self._begun[-1] and now.number > 1:
                last = len(found) + 1
                waiting = [version for version in now.field.versions if version not in taken]
                found += [Placing(version, last, float(now.number)) for version in waiting]
        return tuple(found)

    def panels(self) -> tuple[Panel, ...]:
        """The pictures of all stages that have begun, each below a heading."""
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
            going_on=now.went_on if over else (),
        )

    def _begin(self) -> _Begun:
        players = self._field.players
        if self._begun:
            before = self._begun[-1]
            before.went_on = before.going_on()
            by_version = {player.version: player for player in players}
            players = tuple(map(by_version.__getitem__, before.went_on))
        number = len(self._begun) + 1
        field = self._stage_field(number, players)
        stage = self._stages[number - 1]
        return _Begun(number, stage, field, stage.kind.planner(field, stage.options))

    def _stage_field(self, number: int, players: tuple[Player, ...]) -> Field:
        place = (*self._field.place, f"s{number:0{len(str(len(self._stages)))}}")

        def earlier() -> list[Result]:
            """The results of the same stage in earlier seasons."""
            found = self._field.earlier()
            return [r for r in found if MatchKey.parse(r.key).place[: len(place)] == place]

        return replace(
            self._field,
            players=players,
            place=place,
            earlier=earlier,
            tally=None,
            ranked=number > 1,
        )

    def _bounds(self) -> list[int | None]:
        """Return the most matches of each stage; the first one's are never needed.

        A stage has most matches with all its places taken, or where so few are left that a smaller
        table has to do.
        """
        bounds: list[int | None] = [0]
        largest = max((len(table.sides) for table in self._field.tables), default=0)
        places = len(self._field.players)
        for number, (before, stage) in enumerate(pairwise(self._stages), start=2):
            places = min(places, before.best or places)
            counts = []
            for players in {places, *range(min(places, largest))}:
                field = self._stage_field(number, self._field.players[:players])
                anybody = replace(field, apart=False, earlier=tuple)
                counts.append(stage.schedule(anybody).to_come)
            known = [count for count in counts if count is not None]
            bounds.append(max(known) if len(known) == len(counts) else None)
        return bounds
