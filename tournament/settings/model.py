"""A tournament as its organiser describes it; all but its name and its game has a default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PrivateAttr,
    ValidationInfo,
    field_validator,
)

from common import marked_yaml
from common.text import meant, name_flaw
from formats.choice import Choice, choice_of, with_defaults
from formats.options import Count, Part, Switch
from formats.registry import FORMATS
from results.season_settings import DerivedFacts, SeasonSettings
from sandbox.backends.registry import BACKENDS, backend
from sandbox.bundles.manifest import image_name
from sandbox.guarantees import GUARANTEES, USUAL
from tables.game import BadTable, Game
from tables.registry import GAMES
from tables.seating import SeatingPlan, seating_plan
from tournament.calendar import When
from tournament.settings.parts import (
    STOPPING,
    ClockFields,
    Entrants,
    LimitsFields,
    ProfileOrFields,
    PublicValue,
    Required,
    Runtime,
    StrikesFields,
)

# The format that a tournament is played in: `format: contest`, or `format: {contest: {legs: 3}}`.
#
# A season is always stored with the second form, and with all options.


USUAL_FORMAT = "contest"


class _ChosenFormat(Choice):
    """A tournament's format."""


if TYPE_CHECKING:
    ChosenFormat = _ChosenFormat
else:
    ChosenFormat = choice_of(FORMATS, "ChosenFormat", _ChosenFormat)


def filled_in(value: object, *, for_chips: bool) -> object:
    """Expand a format given only by name, and fill in the defaults of its options."""
    if isinstance(value, str):
        if value not in FORMATS:
            raise ValueError(f"must be one of {', '.join(FORMATS)}")
        value = {value: {}}
    if not isinstance(value, Mapping):
        raise ValueError(f"must be one of {', '.join(FORMATS)}, alone or with its options")
    return with_defaults(FORMATS, value, for_chips=for_chips)


def laid_over(chosen: _ChosenFormat, said: object) -> object:
    """The options of the chosen format, overridden by those given for the same format."""
    name = chosen.kind.name
    options = said.get(name) if isinstance(said, Mapping) and len(said) == 1 else None
    if not isinstance(options, Mapping):
        return said
    return {name: {**chosen.options.model_dump(mode="json"), **options}}


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")

USUAL_SEATS = 4
"""The default number of seats at a table, if the game allows it."""


Options = TypeVar("Options")


def _name(text: str) -> str:
    if flaw := name_flaw(text):
        raise ValueError(flaw)
    if not _NAME.fullmatch(text):
        raise ValueError(
            "must be 1 to 32 of the characters a-z, 0-9, - and _, beginning with a letter or digit"
        )
    return text


def _kind_of_box(name: object) -> object:
    if not isinstance(name, str) or name not in BACKENDS:
        raise ValueError(f"must be one of {', '.join(BACKENDS)}")
    return name


class _Source:
    """The file that settings were read from, if any; it plays no part in comparing settings."""

    def __init__(self, marked: marked_yaml.MarkedYaml | None = None) -> None:
        self.marked = marked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source)

    def __hash__(self) -> int:
        return hash(_Source)

    def __reduce__(self) -> tuple[object, ...]:
        return _Source, ()  # a worker has no use for it


class Settings(Part, Generic[Options]):
    """One tournament.

    `name` must be unique among the files of a folder, but need not be the file's name. `options`
    are the game's own, or the name of a preset. `format` is how the season is played; options left
    out get defaults that fit the game. With `duplicate` the packs of each of the `boards` of a
    match are replayed with the seats rotated, and nothing carries over. `partners` says whether one
    bot plays all seats of a side or each seat has its own, and `same_author` whether two bots of
    one author may sit at a rated table of three or more sides. `rank_by` says whether the standings
    are in the order of the format's points or of the bots' ratings. With `probation` a bot that
    keeps failing leaves the season. `workers` is how many matches are played in parallel at most,
    None for one per core. Tournaments that are played at the same time divide the cores by their
    `share`. `hosts` says which hosts of a cluster may play one season: those that are alike, any
    that can, or only one. A tournament without `schedule` is played once, unless its format has a
    schedule by default. `runtime` is the engine's program that starts the containers, empty for its
    default one. `images` lists the images that a bot may name for its box. `wheels` is a folder of
    wheels that Python bots may ask for: an absolute path, or one relative to the file. `require`
    lists the guarantees that boxes must be found to keep before anything starts; `usual` and `all`
    become the names that they stand for. `public_value` says which number that is nobody's goes
    into the key of the deals.
    """

    name: Annotated[str, AfterValidator(_name)]
    game: str
    format: ChosenFormat = Field(USUAL_FORMAT, validate_default=True)
    options: Options = Field(default_factory=dict, validate_default=True)
    seats: Count = Field(None, validate_default=True)
    duplicate: Switch = Field(None, validate_default=True)
    boards: Count = 1
    partners: Literal["same", "different"] = "same"
    same_author: Literal["apart", "together"] = "apart"
    rank_by: Literal["points", "rating"] = "points"
    probation: Switch = False
    entrants: Entrants = "all"
    clock: ClockFields = ClockFields()
    limits: ProfileOrFields = LimitsFields()
    box: Annotated[str, BeforeValidator(_kind_of_box)] = next(iter(BACKENDS))
    runtime: Runtime = ""
    images: tuple[Annotated[str, AfterValidator(image_name)], ...] = ()
    wheels: Path | None = None
    require: Required = Field("usual", validate_default=True)
    strikes: StrikesFields = StrikesFields()
    sanity_check: Switch = True
    workers: Annotated[int, Field(strict=True, ge=1, le=256)] | None = None
    share: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    hosts: Literal["alike", "any", "one"] = "alike"
    schedule: When = Field(None, validate_default=True)
    public_value: PublicValue | None = None
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
        game, chosen = GAMES.get(info.data.get("game", "")), info.data.get("format")
        if game is None or not isinstance(value, str):
            if game and chosen and not chosen.kind.for_chips and isinstance(value, dict):
                return {**game.fixed_stakes, **value}
            return value
        if value not in game.presets:
            raise ValueError(f"must be one of {', '.join(game.presets)}, or {game.name}'s options")
        return game.presets[value]

    @field_validator("options")
    @classmethod
    def _playable(cls, options: Options, info: ValidationInfo) -> Options:
        game = GAMES.get(info.data.get("game", ""))
        if game is not None and not game.can_sit(options, None):
            raise ValueError("must let a bot sit down; with these, no bot can pay to play")
        if game is not None and not playable(game, options):
            raise ValueError(
                f"must allow a game to be played: {_refusal(game, options, game.seats[0])}"
            )
        return options

    @field_validator("format", mode="before")
    @classmethod
    def _filled_in(cls, value: object, info: ValidationInfo) -> object:
        """Fill in the format's defaults: for chips as in 2011, or for scores."""
        game = GAMES.get(info.data.get("game", ""))
        return filled_in(value, for_chips=game is None or game.carries)

    @field_validator("seats", "duplicate", mode="before")
    @classmethod
    def _as_the_game_has_it(cls, value: object, info: ValidationInfo) -> object:
        """Fill in the game's defaults: one game per match for chips, or duplicate for scores.

        Where turning the seats does not help, a match is one game too.
        """
        game = GAMES.get(info.data.get("game", ""))
        if value is not None:
            return value
        chosen = info.data.get("format")
        if info.field_name == "seats":
            seats: Sequence[int] = game.seats if game else ()
            if game and "options" in info.data:
                seats = playable(game, info.data["options"])
                fit = [s for s in seats if not _unsuited(game, info.data["options"], s, chosen)]
                seats = fit or seats
            return max((s for s in seats if s <= USUAL_SEATS), default=min(seats, default=1))
        if game is None or not game.turns_help:
            return False
        return not (game.carries and (not chosen or chosen.kind.for_chips))

    @field_validator("duplicate")
    @classmethod
    def _fits_the_format(cls, duplicate: bool, info: ValidationInfo) -> bool:
        game, chosen = GAMES.get(info.data.get("game", "")), info.data.get("format")
        carries = not duplicate and game is not None and game.carries
        if carries and chosen and not chosen.kind.for_chips:
            raise ValueError(f"must be true in this format: {chosen.kind.name} carries no chips on")
        return duplicate

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
            refusal = _unsuited(game, info.data["options"], seats, info.data.get("format"))
            if refusal:
                raise ValueError(refusal)
        return seats

    @field_validator("boards")
    @classmethod
    def _repeatable(cls, boards: int, info: ValidationInfo) -> int:
        game = GAMES.get(info.data.get("game", ""))
        if boards > 1 and game is not None and game.carries and not info.data.get("duplicate"):
            raise ValueError("must be 1 where chips are carried on, except with duplicate: true")
        return boards

    @field_validator("partners")
    @classmethod
    def _partnered(cls, partners: str, info: ValidationInfo) -> str:
        game = GAMES.get(info.data.get("game", ""))
        if partners == "different" and game is not None and {"options", "seats"} <= {*info.data}:
            seats = info.data["seats"]
            if len(game.sides(info.data["options"], seats)) == seats:
                raise ValueError(f"must be same: this table of {game.name} has no partners")
            chosen = info.data.get("format")
            refusal = chosen.kind.refusal(chosen.options, seats) if chosen else ""
            if refusal:
                raise ValueError(f"must be same, or seats {refusal}")
        return partners

    @field_validator("rank_by")
    @classmethod
    def _rankable(cls, rank_by: str, info: ValidationInfo) -> str:
        game, chosen = GAMES.get(info.data.get("game", "")), info.data.get("format")
        if rank_by == "points" or game is None or not {"options", "seats"} <= {*info.data}:
            return rank_by
        if chosen and chosen.kind.only_by_points:
            raise ValueError(f"must be points in this format: {chosen.kind.only_by_points}")
        if not game.rated(info.data["options"]):
            raise ValueError("must be points: with these options nothing is rated")
        if len(game.sides(info.data["options"], info.data["seats"])) < 2:
            raise ValueError("must be points: a bot that plays alone has no rating")
        return rank_by

    @field_validator("runtime", "images")
    @classmethod
    def _of_a_container(cls, value: object, info: ValidationInfo) -> object:
        box = info.data.get("box")
        if value and box and not backend(box).has_images:
            raise ValueError("must go with box: docker, since no other box is a container")
        return value

    @field_validator("schedule", mode="before")
    @classmethod
    def _as_the_format_has_it(cls, value: object, info: ValidationInfo) -> object:
        chosen = info.data.get("format")
        return chosen.kind.schedule_default if value is None and chosen else value

    @field_validator("require")
    @classmethod
    def _resolved(cls, require: str | Sequence[str], info: ValidationInfo) -> Sequence[str]:
        """Name the required guarantees, in the order of `sandbox.guarantees`.

        The usual ones of a box with walls are to keep them; `bare` is the choice to have none.
        """
        limits, box = info.data.get("limits"), info.data.get("box")
        stops = not limits or limits.stopped_between_turns
        if require == "all":
            names = frozenset(GUARANTEES) - (frozenset() if stops else STOPPING)
        else:
            names = frozenset({require} if isinstance(require, str) else require)
            for name in () if stops else STOPPING & names:
                raise ValueError(f"must go with limits: {{stopped_between_turns: true}} for {name}")
            if "usual" in names and box and backend(box).isolated:
                names |= USUAL
        return tuple(name for name in GUARANTEES if name in names)

    def remember(self, marked: marked_yaml.MarkedYaml) -> None:
        """Remember the file that these settings were read from, for later errors."""
        self._source = _Source(marked)

    def complain(self, path: marked_yaml.Place, message: str) -> str:
        """Describe an error in a setting, with its file and line if it has one.

        `path` is where it stands in the settings, such as `("entrants", 2)`.
        """
        marked = self._source.marked
        return marked.mistake(path, message) if marked else f"{self.name}: {message}"

    @property
    def backend_name(self) -> str:
        """The name of its sandboxes' backend: the box, and a runtime if one is chosen."""
        return f"{self.box}:{self.runtime}" if self.runtime else self.box

    @property
    def carries(self) -> bool:
        """Whether bots carry their chips from one table to the next."""
        return GAMES[self.game].carries and not self.duplicate

    @property
    def rated(self) -> bool:
        """Whether the results count for ratings."""
        return GAMES[self.game].rated(self.options)

    @property
    def keeps_authors_apart(self) -> bool:
        """Whether two bots of one author never sit at a table of three or more sides."""
        return self.rated and self.same_author == "apart"

    @property
    def references(self) -> tuple[str, ...]:
        """The bots that its format needs beside the entrants, by the names that its file uses."""
        return tuple(self.format.kind.references(self.format.options).values())

    def seating_plans(self) -> tuple[SeatingPlan, ...]:
        """The seating plan of every possible table, the fullest table first."""
        game = GAMES[self.game]
        return tuple(
            seating_plan(
                game.sides(self.options, seats),
                apart=self.partners == "different",
                duplicate=self.duplicate,
                boards=self.boards,
            )
            for seats in reversed(playable(game, self.options))
            if seats <= self.seats
        )

    def plain(self) -> dict[str, Any]:
        """Plain data to change and check again; without `require` if it follows from the box."""
        data = self.model_dump(mode="json")
        if "require" not in self.model_fields_set:
            del data["require"]
        return data

    def freeze(self) -> SeasonSettings:
        """What a season that begins with these settings stores, publishes and shows; `thaw` is the
        inverse.
        """
        game, chosen = GAMES[self.game], self.format
        facts = DerivedFacts(
            tables=tuple(
                game.sides(self.options, seats)
                for seats in reversed(playable(game, self.options))
                if seats <= self.seats
            ),
            carries=self.carries,
            rated=self.rated,
            isolated=backend(self.box).isolated,
            pairs_by_results=chosen.kind.pairs_by_results,
            points_title=chosen.kind.points_title(chosen.options, carries=self.carries),
            leg_title=chosen.kind.leg_title,
            references=self.references,
            widest=game.widest(self.options, self.seats),
            luck_helps=game.luck_helps(self.seats, duplicate=self.duplicate),
        )
        return SeasonSettings(**self.model_dump(mode="json"), facts=facts)


def _refusal(game: Game, options: Any, seats: int) -> str:
    """Say why this number of seats can't be played with these options; nothing if it can."""
    try:
        game.check_table(options, seats)
    except BadTable as error:
        return str(error)
    return ""


def _unsuited(game: Game, options: Any, seats: int, chosen: ChosenFormat | None) -> str:
    """Say why a format can't be played with one entrant for each side; nothing if it can."""
    return chosen.kind.refusal(chosen.options, len(game.sides(options, seats))) if chosen else ""


def playable(game: Game, options: Any) -> tuple[int, ...]:
    """The numbers of seats that can be played with these options, the fewest first."""
    return tuple(seats for seats in game.seats if not _refusal(game, options, seats))


def settings_model(game: object) -> type[Settings[Any]]:
    """The settings model of this game's tournaments, or a general one for an unknown game."""
    known = GAMES.get(game) if isinstance(game, str) else None
    return Settings[known.options] if known is not None else Settings[Any]  # type: ignore[name-defined]


def settings_of(data: Mapping[str, Any]) -> Settings[Any]:
    """Check settings that are plain data; raises pydantic's `ValidationError`."""
    return settings_model(data["game"]).model_validate(data)


def thaw(settings: SeasonSettings) -> Settings[Any]:
    """The settings to play a season by; raises pydantic's `ValidationError` if they can't be."""
    return settings_of(settings.model_dump(mode="json", exclude={"facts"}))
