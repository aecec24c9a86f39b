"""A tournament as its organiser describes it: one YAML file, read into settings.

Everything has a default but the name and the game. Whatever is wrong in a file is said at once,
line by line, and nothing is started.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    ValidationInfo,
    field_validator,
)

from common import marked_yaml
from common.did_you_mean import meant
from common.errors import UserError
from common.marked_yaml import BadYaml
from sandbox.bundles.manifest import image_name
from sandbox.guarantees import PROMISES, USUAL
from sandbox.limits import PROFILES, Clock, Limits
from tables.game import BadTable, Game
from tables.record import FAULTS
from tables.referee import Strikes
from tables.registry import GAMES
from tables.seating import LineUp, line_up
from tournament.calendar import Schedule
from tournament.units import Allowance, Duration, Size

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_ENTRANT = re.compile(r"[a-z0-9_-]{1,32}(@[1-9][0-9]{0,8})?")

LEGS = 25
"""The tourneys of the contest of 2011."""

USUAL_SEATS = 4
"""So many sit at a table where nobody says otherwise and the game seats as many."""


Count = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Switch = Annotated[bool, Field(strict=True)]


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(
            "must be 1 to 32 of the characters a-z, 0-9, - and _, beginning with a letter or digit"
        )
    return text


def _entrant(text: str) -> str:
    if not _ENTRANT.fullmatch(text):
        raise ValueError("must be a bot's name such as davey, or one version of it such as davey@3")
    return text


def _all_different(items: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({item for item in items if items.count(item) > 1})
    if twice:
        raise ValueError(f"must name everybody once; {', '.join(twice)} comes twice")
    return items


def _profile(value: object) -> object:
    """Turn a profile's name into its fields, so that a season keeps the numbers."""
    if not isinstance(value, str):
        return value
    if value not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}, or fields such as memory: 256MiB")
    return LimitsFields.model_construct(**asdict(PROFILES[value]))


class NoTournament(UserError):
    """There is no tournament file where one was looked for, or none of the name."""


class _Part(BaseModel):
    """A part of the settings: nothing in it can be changed or misspelt."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ClockFields(_Part):
    """How long a bot may think: for every answer, for the first one, and in a game.

    `bank` is for all answers of a game together; `overrun` is how late one may come now and then.
    """

    question: Duration = Clock().question
    start: Duration = Clock().start
    bank: Duration | None = Clock().bank
    overrun: Allowance = Clock().overrun

    def clock(self) -> Clock:
        """Make what a box's player needs."""
        return Clock(**self.model_dump())


class LimitsFields(_Part):
    """What one bot may use; what is not said is as in the `laptop` profile."""

    cpu: Duration = Limits().cpu
    memory: Size = Limits().memory
    processes: Count = Limits().processes
    scratch: Size = Limits().scratch
    line: Size = Limits().line
    output: Size = Limits().output
    stopped_between_turns: Switch = Limits().stopped_between_turns

    def limits(self) -> Limits:
        """Make what a box needs."""
        return Limits(**self.model_dump())


class StrikesFields(_Part):
    """How many faults a seat may commit, and which kinds are only written down."""

    limit: Count = Strikes().limit
    forgiven: tuple[Literal[FAULTS], ...] = ()  # type: ignore[valid-type]

    def strikes(self) -> Strikes:
        """Make what the referee needs."""
        return Strikes(self.limit, frozenset(self.forgiven))


class Tagged(_Part):
    """The newest version of every bot that bears at least one of these tags of the organiser's."""

    tags: Annotated[tuple[str, ...], Field(min_length=1)]


def _entrants_kind(value: object) -> str | None:
    if value == "all":
        return "all"
    if isinstance(value, list | tuple):
        return "names"
    return "tagged" if isinstance(value, Mapping | Tagged) else None


Names = Annotated[
    tuple[Annotated[str, AfterValidator(_entrant)], ...],
    Field(min_length=1),
    AfterValidator(_all_different),
]
Entrants = Annotated[
    Annotated[Literal["all"], Tag("all")]
    | Annotated[Names, Tag("names")]
    | Annotated[Tagged, Tag("tagged")],
    Discriminator(
        _entrants_kind,
        custom_error_type="entrants",
        custom_error_message="must be all, a list of bots' names, or {tags: [...]}",
    ),
]

STOPPING = frozenset({"stopped-between-turns", "stopped-surely"})
"""What can't be had where bots may think in others' time."""


def _promise(name: str) -> str:
    if name not in PROMISES and name != "usual":
        raise ValueError(f"must be one of {', '.join(PROMISES)}, or usual for the walls")
    return name


def _required_kind(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "names"
    return "word" if value in ("usual", "all") else None


Required = Annotated[
    Annotated[Literal["usual", "all"], Tag("word")]
    | Annotated[tuple[Annotated[str, AfterValidator(_promise)], ...], Tag("names")],
    Discriminator(
        _required_kind,
        custom_error_type="required",
        custom_error_message="must be usual, all, or a list of what `arena doctor` lists",
    ),
]

Options = TypeVar("Options")

FILES = (".yaml", ".yml")
"""How the name of a tournament's file ends."""


class _Source:
    """The file that settings were read from, if any; whatever it is, the settings are the same."""

    def __init__(self, marked: marked_yaml.MarkedYaml | None = None) -> None:
        self.marked = marked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source)

    def __hash__(self) -> int:
        return hash(_Source)

    def __reduce__(self) -> tuple[object, ...]:
        return _Source, ()  # a worker has no use for it


class Settings(_Part, Generic[Options]):
    """One tournament.

    `name` must be its own among the files of a folder, but need not be the file's name. `options`
    are the game's own, or the name of a preset. The contest's fields (`tourneys` to `broke`) stand
    beside `format`; what of them is not said follows from the game. With `duplicate` the packs of
    each of the `boards` of a match are played with the seats turned, and nothing is carried on.
    `partners` says whether a side is one bot or one in every seat. `workers` is how many matches
    are played at a time, None for as many as there are cores. A tournament without `schedule` is
    played once. `images` are those that a bot may name for its box. `wheels` is a folder of wheels
    that Python bots may ask for, beside the file or by its whole path.
    `require` is what boxes must be found to keep before anything starts.
    """

    name: Annotated[str, AfterValidator(_name)]
    game: str
    options: Options = Field(default_factory=dict, validate_default=True)
    format: Literal["contest"] = "contest"
    tourneys: Count = Field(None, validate_default=True)
    rounds: Count = 5
    seats: Count = Field(None, validate_default=True)
    duplicate: Switch = Field(None, validate_default=True)
    boards: Count = 1
    partners: Literal["same", "different"] = "same"
    broke: Literal["zero", "chips"] = "zero"
    entrants: Entrants = "all"
    clock: ClockFields = ClockFields()
    limits: Annotated[LimitsFields, BeforeValidator(_profile)] = LimitsFields()
    box: Literal["bubblewrap", "docker", "bare"] = "bubblewrap"
    images: tuple[Annotated[str, AfterValidator(image_name)], ...] = ()
    wheels: Path | None = None
    require: Required = "usual"
    strikes: StrikesFields = StrikesFields()
    sanity_check: Switch = True
    workers: Annotated[int, Field(strict=True, ge=1, le=256)] | None = None
    schedule: Schedule | None = None
    _source: _Source = PrivateAttr(default_factory=lambda: _Source())

    @field_validator("game")
    @classmethod
    def _known_game(cls, name: str) -> str:
        if name not in GAMES:
            raise ValueError(f"must be the name of a game: {meant(name, GAMES)}")
        return name

    @field_validator("options", mode="before")
    @classmethod
    def _preset(cls, value: object, info: ValidationInfo) -> object:
        game = GAMES.get(info.data.get("game", ""))
        if game is None or not isinstance(value, str):
            return value
        if value not in game.presets:
            raise ValueError(f"must be one of {', '.join(game.presets)}, or {game.name}'s options")
        return game.presets[value]

    @field_validator("options")
    @classmethod
    def _playable(cls, options: Options, info: ValidationInfo) -> Options:
        game = GAMES.get(info.data.get("game", ""))
        if game is not None and not game.can_sit(options, None):
            raise ValueError("must let a bot sit down; with these, nobody can pay to play")
        if game is not None and not playable(game, options):
            raise ValueError(f"must let somebody play: {_refusal(game, options, game.seats[0])}")
        return options

    @field_validator("tourneys", "seats", "duplicate", mode="before")
    @classmethod
    def _as_the_game_has_it(cls, value: object, info: ValidationInfo) -> object:
        """What is not said: a contest for chips as in 2011, or duplicate matches for scores."""
        game = GAMES.get(info.data.get("game", ""))
        if value is not None:
            return value
        if info.field_name == "seats":
            seats: Sequence[int] = game.seats if game else ()
            if game and "options" in info.data:
                seats = playable(game, info.data["options"])
            return max((s for s in seats if s <= USUAL_SEATS), default=min(seats, default=1))
        for_chips = game is None or game.carries
        return not for_chips if info.field_name == "duplicate" else LEGS if for_chips else 1

    @field_validator("seats")
    @classmethod
    def _seatable(cls, seats: int, info: ValidationInfo) -> int:
        game = GAMES.get(info.data.get("game", ""))
        if game is not None and seats not in game.seats:
            first, last = game.seats[0], game.seats[-1]
            allowed = f"from {first} to {last}" if first < last else str(first)
            raise ValueError(f"must be {allowed}, as many as {game.name} seats")
        if game is not None and "options" in info.data:
            refusal = _refusal(game, info.data["options"], seats)
            if refusal:
                raise ValueError(f"must go with the options: {refusal}")
        return seats

    @field_validator("boards")
    @classmethod
    def _repeatable(cls, boards: int, info: ValidationInfo) -> int:
        game = GAMES.get(info.data.get("game", ""))
        if boards > 1 and game is not None and game.carries and not info.data.get("duplicate"):
            raise ValueError("must be 1 where chips are carried on, as without duplicate: true")
        return boards

    @field_validator("partners")
    @classmethod
    def _partnered(cls, partners: str, info: ValidationInfo) -> str:
        game = GAMES.get(info.data.get("game", ""))
        if partners == "different" and game is not None and {"options", "seats"} <= {*info.data}:
            seats = info.data["seats"]
            if len(game.sides(info.data["options"], seats)) == seats:
                raise ValueError(f"must be same: such a table of {game.name} has no partners")
        return partners

    @field_validator("images")
    @classmethod
    def _of_a_box_that_has_them(cls, images: tuple[str, ...], info: ValidationInfo) -> object:
        if images and info.data.get("box") != "docker":
            raise ValueError("must go with box: docker, since other boxes are made of no image")
        return images

    @field_validator("require")
    @classmethod
    def _not_switched_off(cls, required: Sequence[str], info: ValidationInfo) -> object:
        limits = info.data.get("limits")
        if limits and not limits.stopped_between_turns:
            for name in STOPPING & {*required}:
                raise ValueError(f"must go with limits: {{stopped_between_turns: true}} for {name}")
        return required

    def complain(self, path: marked_yaml.Place, message: str) -> str:
        """Say what turned out to be wrong with a setting: with its file and line where it has one.

        `path` is where it stands in the settings, such as `("entrants", 2)`.
        """
        marked = self._source.marked
        return marked.mistake(path, message) if marked else f"{self.name}: {message}"

    @property
    def required(self) -> tuple[str, ...]:
        """What the box must keep, by the names of `sandbox.guarantees`, in their order.

        Without another word a box with walls is required to have them; `bare` is for those who
        want none.
        """
        if self.require == "all":
            names = frozenset(PROMISES) - (
                frozenset() if self.limits.stopped_between_turns else STOPPING
            )
        else:
            names = frozenset({self.require} if self.require == "usual" else self.require)
            if "usual" in names and self.box != "bare":
                names |= USUAL
        return tuple(name for name in PROMISES if name in names)

    @property
    def carries_on(self) -> bool:
        """Whether bots take what they hold from one table to the next."""
        return GAMES[self.game].carries and not self.duplicate

    @property
    def points_title(self) -> str:
        """What the contest's own score is."""
        return "mean chips" if self.carries_on else "mean lead"

    @property
    def rated(self) -> bool:
        """Whether the results count for ratings."""
        return GAMES[self.game].rated(self.options)

    def line_ups(self) -> tuple[LineUp, ...]:
        """Who sits where at every table that can be set up, the fullest table first."""
        game = GAMES[self.game]
        return tuple(
            line_up(
                game.sides(self.options, seats),
                apart=self.partners == "different",
                duplicate=self.duplicate,
                boards=self.boards,
            )
            for seats in reversed(playable(game, self.options))
            if seats <= self.seats
        )

    def freeze(self) -> dict[str, Any]:
        """Turn into plain data for JSON; `thaw` takes it back."""
        return self.model_dump(mode="json")


def _refusal(game: Game, options: Any, seats: int) -> str:
    """Say why so many can't play with these options, nothing where they can."""
    try:
        game.check_table(options, seats)
    except BadTable as error:
        return str(error)
    return ""


def playable(game: Game, options: Any) -> tuple[int, ...]:
    """How many can sit down with these options, the fewest first."""
    return tuple(seats for seats in game.seats if not _refusal(game, options, seats))


def _model(game: object) -> type[Settings[Any]]:
    """The settings of this game's tournaments, as far as there is such a game."""
    known = GAMES.get(game) if isinstance(game, str) else None
    return Settings[known.options] if known is not None else Settings[Any]  # type: ignore[name-defined]


def thaw(data: Mapping[str, Any]) -> Settings[Any]:
    """Read settings that were frozen when their season began."""
    return _model(data["game"]).model_validate(data)


def read_settings(text: str | bytes, name: str) -> Settings[Any]:
    """Read one tournament's YAML; raises `BadYaml` with every mistake, as `name` calls the file."""
    marked = marked_yaml.read(text, name)
    settings = marked.check(_model(marked.data.get("game")))
    settings._source = _Source(marked)
    return settings


def read_file(path: Path) -> Settings[Any]:
    """Read one tournament's file; raises `BadYaml` with every mistake, or why it can't be read."""
    if path.exists() and not path.is_file():  # a device or a pipe could be read for ever
        raise BadYaml([f"{path}: is no file"])
    try:
        settings = read_settings(path.read_bytes(), str(path))
    except OSError as error:
        raise BadYaml([f"{path}: can't be read: {error.strerror}"]) from error
    if settings.wheels is None:
        return settings
    wheels = (path.parent / settings.wheels).absolute()
    if not wheels.is_dir():
        raise BadYaml([f"{path}: `wheels:` names {wheels}, which is no folder"])
    return settings.model_copy(update={"wheels": wheels})


def read_folder(folder: Path, name: str | None = None) -> tuple[Settings[Any], ...]:
    """Read every tournament file of a folder, in order of the files' names, or the one of a name.

    Raises `BadYaml` with the mistakes of all files together; two tournaments of one name are one
    of them. Who asks for one name is told of them only where it may be meant. Raises
    `NoTournament` where there is no such folder, file or name. Folders inside are not looked into.
    """
    if not folder.is_dir():
        raise NoTournament(f"there is no folder {folder}, where tournament files are looked for")
    found: dict[str, tuple[Path, Settings[Any]]] = {}
    mistakes: list[str] = []
    taken: set[str] = set()
    for path in sorted(p for p in folder.iterdir() if p.suffix in FILES):
        try:
            settings = read_file(path)
        except BadYaml as error:
            mistakes += error.mistakes
        else:
            if settings.name in found:
                other = found[settings.name][0]
                mistakes.append(f"{path}: the name {settings.name!r} is taken by {other}")
                taken.add(settings.name)
            found.setdefault(settings.name, (path, settings))
    if mistakes and (name not in found or name in taken):
        raise BadYaml(mistakes)
    if not found:
        raise NoTournament(f"there is no tournament file (*.yaml) in {folder}")
    if name is None:
        return tuple(settings for _, settings in found.values())
    if name not in found:
        hint = meant(name, found)
        raise NoTournament(f"no file in {folder} describes a tournament {name!r}: {hint}")
    return (found[name][1],)
