"""Settings: a tournament as its organiser describes it, read from one YAML file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    StringConstraints,
    Tag,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from card_arena.common import marked_yaml
from card_arena.common.cron import checked, runs_after
from card_arena.common.errors import UserError
from card_arena.common.faults import Fault
from card_arena.common.marked_yaml import BadYaml, MarkedYaml
from card_arena.common.moments import known_zone
from card_arena.common.text import name_flaw, suggestion
from card_arena.common.units import Allowance, Days, Duration, Size
from card_arena.formats.base import Choice, Count, Names, Part, Switch, choice_of, with_defaults
from card_arena.formats.registry import FORMATS
from card_arena.results.entries import CHALLENGES
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE, first_round, utc
from card_arena.results.season_settings import DerivedFacts, SeasonSettings
from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.bundles.manifest import Image
from card_arena.sandbox.guarantees import GUARANTEES, USUAL
from card_arena.sandbox.kernel.seccomp import permitted
from card_arena.sandbox.limits import PROFILES, Clock, Limits
from card_arena.tables.game import BadTable, Game
from card_arena.tables.referee import Strikes
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import SeatingPlan, seating_plan


class ClockFields(Part):
    """The time that a bot has: for every answer, for the first one, and in a game.

    `bank` is for all answers of a game together; `overrun` is how late an occasional answer may be.
    """

    question: Duration = Clock().question
    start: Duration = Clock().start
    bank: Duration | None = Clock().bank
    overrun: Allowance = Clock().overrun

    def clock(self) -> Clock:
        """Convert to the clock of a sandbox's player."""
        return Clock(**self.model_dump())


class LimitsFields(Part):
    """The resources that one bot may use; those left out are as in the `laptop` profile."""

    cpu: Duration = Limits().cpu
    memory: Size = Limits().memory
    processes: Count = Limits().processes
    scratch: Size = Limits().scratch
    line: Size = Limits().line
    output: Size = Limits().output
    stopped_between_turns: Switch = Limits().stopped_between_turns
    calls: tuple[Annotated[str, AfterValidator(permitted)], ...] = Limits().calls

    def limits(self) -> Limits:
        return Limits(**self.model_dump())


class StrikesFields(Part):
    """The strikes that a seat may have, and the kinds of faults that are forgiven."""

    limit: Count = Strikes().limit
    forgiven: tuple[Fault, ...] = ()

    def strikes(self) -> Strikes:
        return Strikes(self.limit, frozenset(self.forgiven))


def _profile(value: object) -> object:
    """Expand a profile's name into its fields, so that a season keeps the numbers."""
    if not isinstance(value, str):
        return value
    if value not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}, or fields such as memory: 256MiB")
    return LimitsFields.model_construct(**asdict(PROFILES[value]))


ProfileOrFields = Annotated[LimitsFields, BeforeValidator(_profile)]
"""Limits as fields, or the name of a profile."""


class Tagged(Part):
    """The newest version of every bot that meets these conditions.

    Bots have at least one of the organiser's `tags`, and an author of the `teams`; of each author
    the latest `per_team` bots are entered. A condition may be left out.
    """

    tags: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    teams: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    per_team: Count | None = None

    @model_validator(mode="after")
    def _chooses(self) -> Tagged:
        if not self.model_dump(exclude_none=True):
            raise ValueError("must have tags, teams or per_team")
        return self

    @model_serializer(mode="wrap")
    def _without_what_is_left_out(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {key: value for key, value in write(self).items() if value is not None}


def _entrants_kind(value: object) -> str | None:
    if value == "all":
        return "all"
    if isinstance(value, list | tuple):
        return "names"
    return "tagged" if isinstance(value, Mapping | Tagged) else None


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
"""The guarantee that can't be required when bots may think on their opponents' time."""


def _guarantee(name: str) -> str:
    if name not in GUARANTEES and name != "usual":
        raise ValueError(
            f"must be one of {', '.join(GUARANTEES)}, or usual for the usual guarantees"
        )
    return name


if TYPE_CHECKING:
    Required = tuple[str, ...]
else:
    Required = Annotated[
        Annotated[Literal["usual", "all"], Tag("word")]
        | Annotated[tuple[Annotated[str, AfterValidator(_guarantee)], ...], Tag("names")],
        Discriminator(
            lambda value: (
                "names"
                if isinstance(value, list | tuple)
                else ("word" if value in ("usual", "all") else None)
            ),
            custom_error_type="required",
            custom_error_message="must be usual, all, or a list of what `arena doctor` lists",
        ),
    ]


def _runtime_name(name: str) -> str:
    if not re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?", name):
        raise ValueError("must be the name of a runtime that Docker's engine has, such as runsc")
    return name


Runtime = Annotated[str, AfterValidator(_runtime_name)]
"""The name of a runtime of Docker's engine; empty for its default one."""


Digits = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
How = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True)]


class Chain(Part):
    """A chain of the beacon: its hash, the Unix time of its first round, seconds between rounds."""

    chain: Digits
    genesis: Annotated[int, Field(strict=True, ge=1)]
    period: Annotated[int, Field(strict=True, ge=1, le=86_400)]


CHAINS: Mapping[str, Chain] = {
    "quicknet": Chain(
        chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        genesis=1_692_803_367,
        period=3,
    ),
    "default": Chain(
        chain="8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        genesis=1_595_431_050,
        period=30,
    ),
}
"""The League of Entropy's chains, as https://api.drand.sh/<chain>/info describes them."""


class PublicValue(Part):
    """A value that is unknown when a season begins: `drawn` in public, or of a beacon, `drand`.

    `drawn` says how it is drawn, in words for people. `drand` is a chain, by name or in full; its
    round is the first one that is published `delay` after the beginning. With `nonces`, authors
    have that time after the beginning to reveal the nonces whose hashes they submitted.
    """

    drawn: How | None = None
    drand: Literal["quicknet", "default"] | Chain | None = None
    delay: Duration = 600.0
    nonces: Days | None = None

    @model_validator(mode="after")
    def _has_one_source(self) -> PublicValue:
        if [self.drawn, self.drand, self.nonces].count(None) != 2:
            raise ValueError("must give one of drawn, drand and nonces")
        return self


def source(
    setting: PublicValue | None, began: datetime, hashes: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return the source of the public value of a season that begins now, for its manifest.

    `hashes` are those of the playing bots' nonces, by the bots' names.
    """
    if setting is None:
        return NO_PUBLIC_VALUE
    if setting.nonces is not None:
        until = began.replace(microsecond=0) + timedelta(seconds=setting.nonces)
        return {"source": "nonces", "until": utc(until), "hashes": dict(hashes)}
    if setting.drand is None:
        return {"source": "drawn", "how": setting.drawn}
    chain = setting.drand if isinstance(setting.drand, Chain) else CHAINS[setting.drand]
    after = began + timedelta(seconds=setting.delay)
    return {
        "source": "drand",
        **chain.model_dump(),
        "round": first_round(chain.genesis, chain.period, after),
    }


ALWAYS: Final = "always"
"""The schedule of a tournament whose next season is due as soon as the one before is finished."""


NEW_BOTS: Final = "new bots"
"""The schedule of a tournament whose next season is due as soon as somebody new would play."""


class Schedule(Part):
    """A tournament's calendar.

    `cron` has five fields: minute, hour, day of the month, month, day of the week. `zone` is their
    time zone. `missed` says what happens to due times that passed: one season for all of them
    (`run_once`), one for each (`run_all`), or none for those that passed while nothing was running
    (`skip`).
    """

    cron: Annotated[str, AfterValidator(checked)]
    zone: Annotated[str, AfterValidator(known_zone)] = "UTC"
    missed: Literal["run_once", "skip", "run_all"] = "run_once"

    def runs_after(self, moment: datetime) -> Iterator[datetime]:
        """Yield the due times after a moment, in order and in UTC."""
        return runs_after(self.cron, self.zone, moment)

    def due(self, since: datetime, now: datetime, watching: datetime) -> tuple[datetime, ...]:
        """Return the due times that call for a season now, in order and in UTC.

        `since` is the due time of the latest season, or, for a tournament that was never played,
        the moment from which its due times count; `watching` is the moment since which the arena
        has been running. Due times that passed during another season were watched, so they are
        never skipped.
        """
        start = max(since, watching) if self.missed == "skip" else since
        passed = tuple(takewhile(lambda run: run <= now, self.runs_after(start)))
        return passed if self.missed == "run_all" else passed[-1:]

    def next_run(self, moment: datetime) -> datetime:
        return next(self.runs_after(moment))


def _kind(value: object) -> str | None:
    if value is None:
        return "once"
    if isinstance(value, str):
        return value if value in (ALWAYS, NEW_BOTS) else None
    return "calendar"


When = Annotated[
    Annotated[None, Tag("once")]
    | Annotated[Literal["always"], Tag("always")]
    | Annotated[Literal["new bots"], Tag("new bots")]
    | Annotated[Schedule, Tag("calendar")],
    Discriminator(
        _kind,
        custom_error_type="schedule",
        custom_error_message=(
            "must be always or new bots, or have a calendar, such as {cron: 0 20 * * FRI}"
        ),
    ),
]
"""The schedule of seasons: a calendar, always, when bots are new, or once only (None)."""


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


_NAME = re.compile(rf"({CHALLENGES})?[a-z0-9_-]{{1,32}}|[a-z0-9][a-z0-9_-]{{0,31}}")

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


def _kind_of_sandbox(name: object) -> object:
    if not isinstance(name, str) or name not in BACKENDS:
        raise ValueError(f"must be one of {', '.join(BACKENDS)}")
    return name


class Settings(Part, Generic[Options]):
    """One tournament.

    `name` must be unique among the files of a folder, but need not be the file's name. `options`
    are the game's own, or the name of a preset. `format` is how the season is played; options left
    out get defaults that fit the game. With `duplicate` the packs of each of the `boards` of a
    match are replayed with the seats rotated, and nothing carries over. `partners` says whether one
    bot plays all seats of a side or each seat has its own, and `same_author` whether two bots of
    one author may sit at a rated table of three or more sides. `rank_by` says whether the standings
    are in the order of the format's points or of the bots' ratings. `less_luck` says whether they
    also show margins without the luck with the cards, where these are surer. With `unrated` nothing
    counts for ratings. With `probation` a bot that keeps failing leaves the season. `workers` is
    how many matches are played in parallel at most, None for one per core. Tournaments that are
    played at the same time divide the cores by their `share`. `hosts` says which hosts of a cluster
    may play one season: those that are alike, any that can, or only one. A tournament without
    `schedule` is played once, unless its format has a schedule by default. `runtime` is the
    engine's program that starts the containers, empty for its default one. `images` lists the
    images that a bot may name for its sandbox. `wheels` is a folder of wheels that Python bots may
    ask for: an absolute path, or one relative to the file. `require` lists the guarantees that
    sandboxes must be found to keep before anything starts; `usual` and `all` become the names that
    they stand for. `public_value` says which number that is nobody's goes into the key of the
    deals.
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
    less_luck: Switch = True
    unrated: Switch = False
    probation: Switch = False
    entrants: Entrants = "all"
    clock: ClockFields = ClockFields()
    limits: ProfileOrFields = LimitsFields()
    sandbox: Annotated[str, BeforeValidator(_kind_of_sandbox)] = next(iter(BACKENDS))
    runtime: Runtime = ""
    images: tuple[Image, ...] = ()
    wheels: Path | None = None
    require: Required = Field("usual", validate_default=True)
    strikes: StrikesFields = StrikesFields()
    sanity_check: Switch = True
    workers: Annotated[int, Field(strict=True, ge=1, le=256)] | None = None
    share: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    hosts: Literal["alike", "any", "one"] = "alike"
    schedule: When = Field(None, validate_default=True)
    public_value: PublicValue | None = None
    _marked: MarkedYaml | None = PrivateAttr(None)
    """The file that they were read from, for later errors; it plays no part in comparing them."""

    @field_validator("game")
    @classmethod
    def _known_game(cls, name: str) -> str:
        if name not in GAMES:
            raise ValueError(f"must be the name of a game: {suggestion(name, GAMES)}")
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
        """Expand a format given only by name, and fill in its defaults, for chips or for scores."""
        game = GAMES.get(info.data.get("game", ""))
        if isinstance(value, str):
            if value not in FORMATS:
                raise ValueError(f"must be one of {', '.join(FORMATS)}")
            value = {value: {}}
        if not isinstance(value, Mapping):
            raise ValueError(f"must be one of {', '.join(FORMATS)}, alone or with its options")
        return with_defaults(FORMATS, value, for_chips=game is None or game.carries)

    @field_validator("seats", "duplicate", mode="before")
    @classmethod
    def _as_the_game_has_it(cls, value: object, info: ValidationInfo) -> object:
        """Fill in the game's defaults: one game per match for chips, or duplicate for scores.

        If rotation does not help in the game, a match is one game too.
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
        if game is None or not game.statistics.rotation_helps:
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
        sandbox = info.data.get("sandbox")
        if value and sandbox and not backend(sandbox).has_images:
            raise ValueError("must go with sandbox: docker, since no other sandbox is a container")
        return value

    @field_validator("schedule", mode="before")
    @classmethod
    def _as_the_format_has_it(cls, value: object, info: ValidationInfo) -> object:
        chosen = info.data.get("format")
        return chosen.kind.schedule_default if value is None and chosen else value

    @field_validator("require")
    @classmethod
    def _resolved(cls, require: str | Sequence[str], info: ValidationInfo) -> Sequence[str]:
        """Return the names of the required guarantees, in the order of `sandbox.guarantees`.

        `usual` requires the usual ones of an isolating sandbox, and none of `bare`.
        """
        limits, sandbox = info.data.get("limits"), info.data.get("sandbox")
        stops = not limits or limits.stopped_between_turns
        if require == "all":
            names = frozenset(GUARANTEES) - (frozenset() if stops else STOPPING)
        else:
            names = frozenset({require} if isinstance(require, str) else require)
            for name in () if stops else STOPPING & names:
                raise ValueError(f"must go with limits: {{stopped_between_turns: true}} for {name}")
            if "usual" in names and sandbox and backend(sandbox).isolated:
                names |= USUAL
        return tuple(name for name in GUARANTEES if name in names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self.model_dump() == other.model_dump()

    def complain(self, path: marked_yaml.Place, message: str) -> str:
        """Describe an error in a setting, with its file and line if it has one.

        `path` is the place in the settings, such as `("entrants", 2)`.
        """
        return self._marked.mistake(path, message) if self._marked else f"{self.name}: {message}"

    @property
    def backend_name(self) -> str:
        """The name of its sandboxes' backend: the sandbox, and a runtime if one is chosen."""
        return f"{self.sandbox}:{self.runtime}" if self.runtime else self.sandbox

    @property
    def carries(self) -> bool:
        """Whether bots carry their chips from one table to the next."""
        return GAMES[self.game].carries and not self.duplicate

    @property
    def rated(self) -> bool:
        """Whether the results count for ratings."""
        return not self.unrated and GAMES[self.game].rated(self.options)

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
        """Return plain data to change and check again, without a default `require`."""
        data = self.model_dump(mode="json")
        if "require" not in self.model_fields_set:
            del data["require"]
        return data

    def freeze(self) -> SeasonSettings:
        """Return the settings as a season stores and publishes them; `thaw` is the inverse."""
        game, chosen = GAMES[self.game], self.format
        facts = DerivedFacts(
            tables=tuple(
                game.sides(self.options, seats)
                for seats in reversed(playable(game, self.options))
                if seats <= self.seats
            ),
            carries=self.carries,
            rated=self.rated,
            isolated=backend(self.sandbox).isolated,
            pairs_by_results=chosen.kind.pairs_by_results,
            points_title=chosen.kind.points_title(chosen.options, carries=self.carries),
            leg_title=chosen.kind.leg_title,
            references=self.references,
            widest=game.statistics.widest(self.options, self.seats),
            luck_helps=self.less_luck and game.statistics.luck_helps(self.seats, self.duplicate),
        )
        return SeasonSettings(**self.model_dump(mode="json"), facts=facts)


def _refusal(game: Game, options: Any, seats: int) -> str:
    """Return why this number of seats can't be played with these options; empty if it can."""
    try:
        game.check_table(options, seats)
    except BadTable as error:
        return str(error)
    return ""


def _unsuited(game: Game, options: Any, seats: int, chosen: ChosenFormat | None) -> str:
    """Return why a format can't have one entrant for each side; empty if it can."""
    return chosen.kind.refusal(chosen.options, len(game.sides(options, seats))) if chosen else ""


def playable(game: Game, options: Any) -> tuple[int, ...]:
    """Return the numbers of seats that can be played with these options, the fewest first."""
    return tuple(seats for seats in game.seats if not _refusal(game, options, seats))


def settings_model(game: object) -> type[Settings[Any]]:
    """Return the settings model of a game's tournaments, or a general one without a game."""
    rules = GAMES.get(game) if isinstance(game, str) else None
    return Settings[rules.options] if rules is not None else Settings[Any]  # type: ignore[name-defined]


def settings_of(data: Mapping[str, Any]) -> Settings[Any]:
    """Check settings that are plain data; raises pydantic's `ValidationError`."""
    return settings_model(data["game"]).model_validate(data)


def thaw(settings: SeasonSettings) -> Settings[Any]:
    """Return a stored season's settings; raises pydantic's `ValidationError`."""
    return settings_of(settings.model_dump(mode="json", exclude={"facts"}))


FILES = (".yaml", ".yml")
"""The suffix of a tournament file's name."""


class NoTournament(UserError):
    """The tournament file, or a tournament of that name, was not found."""


def read_settings(text: str | bytes, name: str) -> Settings[Any]:
    """Read a tournament from YAML; raises `BadYaml` with every mistake in the file `name`."""
    marked = marked_yaml.read(text, name)
    settings = marked.check(settings_model(marked.data.get("game")))
    settings._marked = marked
    if settings.name.startswith(CHALLENGES):
        message = f"name must not begin with {CHALLENGES}: that is for challenges"
        raise BadYaml([settings.complain(("name",), message)])
    return settings


def changed(settings: Settings[Any], marked: MarkedYaml) -> Settings[Any]:
    """Override a tournament's settings with those from part of another file.

    Options of the game and of the format are overridden one by one. Raises `BadYaml`.
    """
    before = settings.plain()
    data = {**before, **marked.data}
    name, chosen = settings.format.kind.name, marked.data.get("format")
    if isinstance(chosen, Mapping) and [*chosen] == [name] and isinstance(chosen[name], Mapping):
        data["format"] = {name: {**before["format"][name], **chosen[name]}}
    if isinstance(marked.data.get("options"), Mapping):
        data["options"] = {**before["options"], **marked.data["options"]}
    return replace(marked, data=data).check(settings_model(settings.game))


def read_file(path: Path) -> Settings[Any]:
    """Read one tournament's file; raises `BadYaml` with every mistake, or why it can't be read."""
    if path.exists() and not path.is_file():  # reading a device or a pipe may never end
        raise BadYaml([f"{path}: not a file"])
    try:
        settings = read_settings(path.read_bytes(), str(path))
    except OSError as error:
        raise BadYaml([f"{path}: can't be read: {error.strerror}"]) from error
    if settings.wheels is None:
        return settings
    wheels = (path.parent / settings.wheels).absolute()
    if not wheels.is_dir():
        message = f"wheels must be a folder beside the file; there is no folder {wheels}"
        raise BadYaml([settings.complain(("wheels",), message)])
    return settings.model_copy(update={"wheels": wheels})


def read_folder(folder: Path, name: str | None = None) -> tuple[Settings[Any], ...]:
    """Read every tournament file in a folder, in order of file name, or only the named tournament.

    Raises `BadYaml` with the mistakes of all files together; two tournaments with the same name are
    a mistake. When one name is asked for, only files that may contain it are reported. Raises
    `NoTournament` if there is no such folder, file or name. Subfolders are ignored.
    """
    if not folder.is_dir():
        raise NoTournament(f"there is no folder {folder} to look for tournament files in")
    files: dict[str, tuple[Path, Settings[Any]]] = {}
    mistakes: list[str] = []
    taken: set[str] = set()
    for path in sorted(p for p in folder.iterdir() if p.suffix in FILES):
        try:
            settings = read_file(path)
        except BadYaml as error:
            mistakes += error.mistakes
        else:
            if settings.name in files:
                other = files[settings.name][0]
                mistakes.append(f"{path}: the name {settings.name!r} is taken by {other}")
                taken.add(settings.name)
            files.setdefault(settings.name, (path, settings))
    if mistakes and (name not in files or name in taken):
        raise BadYaml(mistakes)
    if not files:
        raise NoTournament(f"there is no tournament file (*.yaml) in {folder}")
    if name is None:
        return tuple(settings for _, settings in files.values())
    if name not in files:
        hint = suggestion(name, files)
        raise NoTournament(f"no file in {folder} describes a tournament {name!r}: {hint}")
    return (files[name][1],)
