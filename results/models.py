"""The tables of the database, the same for SQLite and PostgreSQL.

The row classes stay inside this package: the store's interface is frozen dataclasses. A change here
needs a migration; a test compares the two.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import (
    JSON,
    BigInteger,
    Connection,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    event,
)
from sqlalchemy import text as condition
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from card_arena.common.json import first_error
from card_arena.common.moments import in_utc
from card_arena.ratings.same_contest import Contest
from card_arena.results.errors import Damaged
from card_arena.results.season_settings import SeasonSettings


class Moment(TypeDecorator[datetime]):
    """An aware datetime, stored and returned in UTC; SQLite itself has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to the database's form; raises `NaiveMoment`."""
        if value is None:
            return None
        moment = in_utc(value)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to an aware datetime."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else in_utc(value)


class StoredSettings(TypeDecorator[SeasonSettings]):
    """A season's settings, stored as JSON."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(
        self,
        value: SeasonSettings | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> dict[str, Any] | None:
        """Convert to plain data."""
        return None if value is None else value.data()

    def process_result_value(
        self,
        value: dict[str, Any] | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> SeasonSettings | None:
        """Read what was stored; raises `Damaged`."""
        try:
            return None if value is None else SeasonSettings.model_validate(value)
        except ValidationError as error:
            raise Damaged(
                f"the settings of a season can't be read any more: {first_error(error)}"
            ) from error


KEY = String().with_variant(String(collation="C"), "postgresql")
"""A match's key: its text order is playing order, so no locale may change the sorting."""


NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""The names of constraints."""


class Base(DeclarativeBase):
    """The base of all tables: names for constraints, and Python types for columns."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it so
        datetime: Moment,
        float: Double,
        str: Text,
        dict[str, Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
    }


T = TypeVar("T")


def from_row(kind: type[T], row: DeclarativeBase, **others: Any) -> T:
    """Make a dataclass of the columns with the names of its fields, and of the `others`."""
    names = {field.name for field in fields(kind)} - {*others}  # type: ignore[arg-type]
    return kind(**{name: getattr(row, name) for name in names}, **others)


class BotRow(Base):
    """A bot's name; it belongs to the author who submitted it first.

    `withdrawn` is the time since which the bot enters no new season. `tags` are the organiser's, by
    which tournaments choose their entrants. `nonce` is the hash of a text that its author will show
    after a season has begun. `title` is shown beside its name. New seasons enter the version that
    was `chosen`, the newest if there is none. `deleted` is the highest number of a version that was
    deleted.
    """

    __tablename__ = "bots"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    author: Mapped[str]
    withdrawn: Mapped[datetime | None]
    tags: Mapped[list[str]]
    nonce: Mapped[str | None]
    title: Mapped[str | None]
    chosen: Mapped[int | None]
    deleted: Mapped[int] = mapped_column(default=0)


class VersionRow(Base):
    """One bundle of a bot, as it was submitted; its `tags` are its author's, and only shown."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    games: Mapped[list[str]]
    protocol: Mapped[str]
    language: Mapped[str]
    about: Mapped[str]
    tags: Mapped[list[str]]
    digest: Mapped[str]
    submitted: Mapped[datetime]
    archive: Mapped[bytes] = mapped_column(LargeBinary)


class BuildRow(Base):
    """The outcome of a version's last build."""

    __tablename__ = "builds"

    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    ok: Mapped[bool]
    reason: Mapped[str]
    log: Mapped[str]
    built: Mapped[datetime]


class TournamentRow(Base):
    """A tournament's name; its settings are frozen season by season.

    `announced` are the settings of its next season, as its file has them now, and `next_seed` is
    that season's seed, whose hash the ledger has announced. `paused` is why nothing of it is played
    for now.
    """

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    announced: Mapped[SeasonSettings | None] = mapped_column(StoredSettings)
    next_seed: Mapped[bytes | None] = mapped_column(LargeBinary)
    paused: Mapped[str | None]


class SeasonRow(Base):
    """One playing of a tournament; `rated` says whether its matches count for ratings.

    `planned` is the total number of matches by its format's latest count, an upper bound if
    `at_most` is set; it may grow or shrink, and is None if it can't be known. `panels` are the
    pictures that the format draws. `manifest` is its manifest's SHA-256, `key_from` what the key of
    its deals is made from, `value_from` where its public value is to come from (None if it has
    none) and `public_value` that value. `rules` is the version of the game's rules. `unrated_from`
    is the key of the earliest match that counts for ratings and has none yet. One that is
    `annulled` counts for nothing, and is not rated. `queue` are the matches that are played now and
    the next ones, each as its key, its versions and whether it is played now.
    """

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("tournament_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    settings: Mapped[SeasonSettings] = mapped_column(StoredSettings)
    rated: Mapped[bool]
    seed: Mapped[bytes] = mapped_column(LargeBinary)
    due: Mapped[datetime]
    started: Mapped[datetime]
    finished: Mapped[datetime | None]
    planned: Mapped[int | None]
    at_most: Mapped[bool] = mapped_column(default=False)
    panels: Mapped[list[Any]] = mapped_column(JSON, default=list)
    queue: Mapped[list[Any]] = mapped_column(JSON, default=list)
    manifest: Mapped[str]
    key_from: Mapped[str]
    value_from: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    public_value: Mapped[str | None]
    rules: Mapped[int]
    unrated_from: Mapped[str | None] = mapped_column(KEY)
    annulled: Mapped[bool] = mapped_column(default=False)

    @property
    def contest(self) -> Contest:
        return self.settings.contest(self.rules)


class EntrantRow(Base):
    """A version in a season's line-up.

    `points`, `rank` and `tie_breaks` are its current placing by the season's format, and `legs`
    what each leg came to that its points are the mean of. `mu` and `sigma` are its rating after its
    last match of the season. From `matches` on it is counted what its seats have; `slowest` is the
    longest answer in microseconds. Those who met each other, be it through others, have the same
    version in `linked`; it is None before the first match. `lately` is how its last answers ended,
    a letter each. All are caches.
    """

    __tablename__ = "entrants"
    __table_args__ = (Index(None, "version_id"),)

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    place: Mapped[int]
    sits_out: Mapped[str]
    points: Mapped[float | None]
    rank: Mapped[int | None]
    tie_breaks: Mapped[list[Any]] = mapped_column(JSON, default=list)
    legs: Mapped[list[Any]] = mapped_column(JSON, default=list)
    mu: Mapped[float | None]
    sigma: Mapped[float | None]
    matches: Mapped[int] = mapped_column(default=0)
    struck_out: Mapped[int] = mapped_column(default=0)
    hands: Mapped[int] = mapped_column(default=0)
    decisions: Mapped[int] = mapped_column(default=0)
    faults: Mapped[int] = mapped_column(default=0)
    forgiven: Mapped[int] = mapped_column(default=0)
    slowest: Mapped[int] = mapped_column(BigInteger, default=0)
    linked: Mapped[int | None]
    lately: Mapped[str] = mapped_column(default="")


class MatchRow(Base):
    """A match that was played; `shoe` is the cards that the table continues with.

    `games` counts its records. `labels` name its place in the season for people. `boards` are the
    entrants' counted scores board by board, and `penalties` what being struck out costs them beside
    that, None if nobody was. `luck` is what the cards gave each of them, in thousandths; None where
    that is unknown. One that is `annulled` counts for nothing.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("key"),
        Index(None, "season_id", "key"),
        Index(None, "season_id", "leg", "key"),
        Index(None, "season_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"))
    key: Mapped[str] = mapped_column(KEY)
    leg: Mapped[int]
    round: Mapped[int]
    games: Mapped[int] = mapped_column(default=1)
    seconds: Mapped[float]
    labels: Mapped[list[str]]
    shoe: Mapped[list[str]]
    boards: Mapped[list[list[int]]] = mapped_column(JSON)
    luck: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True))
    penalties: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True))
    stored: Mapped[datetime]
    annulled: Mapped[bool] = mapped_column(default=False)


class SeatRow(Base):
    """An entrant of a match, in `seat` in the first game; it may hold other seats as well.

    Everything but the version and the side is derived from the records; `season_id` is its match's
    own, so that a line of ratings is read from an index alone. `mu` and `sigma` are the version's
    rating after this match.
    """

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("match_id", "version_id"),
        Index(None, "version_id", "match_id"),
        Index(None, "version_id", "season_id", "match_id", "mu", "sigma"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int]
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    side: Mapped[int]
    rank: Mapped[int]
    score: Mapped[int] = mapped_column(BigInteger)
    purse: Mapped[int | None] = mapped_column(BigInteger)
    hands: Mapped[int]
    decisions: Mapped[int]
    faults: Mapped[int]
    forgiven: Mapped[int]
    struck_out: Mapped[bool]
    slowest: Mapped[int] = mapped_column(BigInteger)
    mu: Mapped[float | None]
    sigma: Mapped[float | None]


class HeldSeatsRow(Base):
    """Totals of the entrant of `seat` over the games of a match in which it `held` the same seats.

    `held` are their numbers, with a blank between two, and `seats` is how many the table has. All
    is derived from the records.
    """

    __tablename__ = "held_seats"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    held: Mapped[str] = mapped_column(primary_key=True)
    seats: Mapped[int]
    games: Mapped[int]
    score: Mapped[int] = mapped_column(BigInteger)
    margin: Mapped[float]


class RecordRow(Base):
    """One game of a match: its record as compressed JSON.

    `seating` holds, for every seat, the index of the entrant that sits there. `words_pruned` is
    when the words of its questions were taken out of it, None if they are there.
    """

    __tablename__ = "records"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seating: Mapped[list[int]]
    data: Mapped[bytes] = mapped_column(LargeBinary)
    words_pruned: Mapped[datetime | None]


class StderrRow(Base):
    """The standard error of a bot in one seat of one game, compressed.

    There is no row for a bot that wrote nothing.

    It is stored apart from the records, which are public, while this is only for the bot's author.
    """

    __tablename__ = "stderrs"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "record"], ["records.match_id", "records.number"]),
    )

    match_id: Mapped[int] = mapped_column(primary_key=True)
    record: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class FaultRow(Base):
    """One fault, derived from the records, with its entrant and its seat in that game."""

    __tablename__ = "faults"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "version_id"], ["seats.match_id", "seats.version_id"]),
        Index(None, "version_id", "match_id"),
    )

    match_id: Mapped[int] = mapped_column(primary_key=True)
    record: Mapped[int] = mapped_column(primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    kind: Mapped[str]
    code: Mapped[str]
    facts: Mapped[dict[str, Any]]
    question: Mapped[str]
    answer: Mapped[str]
    wall: Mapped[int] = mapped_column(BigInteger)
    cpu: Mapped[int] = mapped_column(BigInteger)
    peak: Mapped[int] = mapped_column(BigInteger)
    struck: Mapped[bool]


class LegRow(Base):
    """A leg of a season: how many of its `matches` are stored, and when the `newest` was."""

    __tablename__ = "legs"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    leg: Mapped[int] = mapped_column(primary_key=True)
    matches: Mapped[int]
    newest: Mapped[datetime]


class HeldSeatsSumRow(Base):
    """The seats of an entrant added up over the matches of a leg.

    `x` and `n` are a match's margin and its games there; alone at a table its score stands for the
    margin. Beside the sum of `x` there are those of `xx`, `xn` and `nn`, their products.
    """

    __tablename__ = "held_seats_sums"
    __table_args__ = (Index(None, "version_id"),)

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    leg: Mapped[int] = mapped_column(primary_key=True)
    seats: Mapped[int] = mapped_column(primary_key=True)
    held: Mapped[str] = mapped_column(primary_key=True)
    matches: Mapped[int]
    games: Mapped[int]
    score: Mapped[int] = mapped_column(BigInteger)
    x: Mapped[float]
    xx: Mapped[float]
    xn: Mapped[float]
    nn: Mapped[float]


class TallyRow(Base):
    """The boards of a tournament added up to the end of its newest season, for the next one."""

    __tablename__ = "tallies"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class HostRow(Base):
    """A host of a cluster; `facts` are its whole description of itself."""

    __tablename__ = "hosts"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    facts: Mapped[dict[str, Any]]
    joined: Mapped[datetime]


class PlayedOnRow(Base):
    """The host that played a match; a match that the runner's own machine played has none."""

    __tablename__ = "played_on"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("hosts.id"))


class SeasonHostRow(Base):
    """How many matches of a season a host played, counted as they are stored."""

    __tablename__ = "season_hosts"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("hosts.id"), primary_key=True)
    matches: Mapped[int]


class LeaseRow(Base):
    """The right to run the tournaments of this database; there is one row, with id 1.

    `holder` is a random word of the program that has it, empty if none has. It is good `until` a
    moment, and made longer while the program lives. `machine`, `pid` and `began` tell other
    programs on the same machine whether it still does; `host` is the machine's name for people.
    """

    __tablename__ = "leases"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    holder: Mapped[str]
    until: Mapped[datetime]
    host: Mapped[str]
    machine: Mapped[str]
    pid: Mapped[int]
    began: Mapped[str]


@event.listens_for(LeaseRow.__table__, "after_create")
def _add_lease(table: Table, connection: Connection, **_: object) -> None:
    never = datetime.fromtimestamp(0, UTC)
    row = {"id": 1, "holder": "", "until": never, "host": "", "machine": "", "pid": 0, "began": ""}
    connection.execute(table.insert().values(row))


class ServiceRow(Base):
    """A program that is meant to run always, `run` or `serve`, as it last noted that it lives.

    `machine`, `pid` and `began` are as of a lease. `starts` are the times of the last few starts.
    It last wrote this at `seen`, and its main loop last came round at `turned`, if it has one.
    `playing` is what it plays, each with the time since which it does; `troubles` are the
    tournaments that it can't play, each with the reason. `ended` is empty while it runs, else how
    it ended.
    """

    __tablename__ = "services"

    name: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    machine: Mapped[str]
    pid: Mapped[int]
    began: Mapped[str]
    starts: Mapped[list[str]] = mapped_column(JSON)
    seen: Mapped[datetime]
    turned: Mapped[datetime | None]
    playing: Mapped[dict[str, Any]]
    troubles: Mapped[dict[str, Any]]
    ended: Mapped[str]


class InterventionRow(Base):
    """An intervention in a season; `number` counts from 1.

    `entry` is its entry in the ledger. `after` is the id of the newest match that the season had by
    then, 0 if it had none. `entrant` is who was admitted, as a manifest lists an entrant. `lifted`
    is when a bot on probation passed the check again.
    """

    __tablename__ = "interventions"
    __table_args__ = (Index(None, "version_id"), Index(None, "key"))

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry: Mapped[int]
    made: Mapped[datetime]
    kind: Mapped[str]
    reason: Mapped[str]
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    key: Mapped[str | None] = mapped_column(KEY)
    entrant: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[int]
    lifted: Mapped[datetime | None]


class EvaluationRow(Base):
    """What a reviewer expects of every answer to a question, once for each sample, and a `reason`.

    The `key` is a hash of the reviewer's files and of the question. It is a cache.
    """

    __tablename__ = "evaluations"

    key: Mapped[str] = mapped_column(primary_key=True)
    scores: Mapped[list[Any]] = mapped_column(JSON)
    reason: Mapped[str]


class ReviewRow(Base):
    """A match to be reviewed, or reviewed, and what `failed`, if anything did.

    `author` is who asked for it, empty for a review from a shell. `reviewer` is the name of the
    bot, `digest` the hash of its files, and `prefix` says whether it is asked with the common
    prefix.
    """

    __tablename__ = "reviews"

    match: Mapped[str] = mapped_column(KEY, primary_key=True)
    author: Mapped[str] = mapped_column(default="")
    asked: Mapped[datetime]
    finished: Mapped[datetime | None]
    failed: Mapped[str] = mapped_column(default="")
    reviewer: Mapped[str] = mapped_column(default="")
    digest: Mapped[str] = mapped_column(default="")
    prefix: Mapped[bool] = mapped_column(default=False)


class MoveRow(Base):
    """A move of a bot to another name, another author or both."""

    __tablename__ = "moves"
    __table_args__ = (Index(None, "bot_id"), Index(None, "name"))

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    made: Mapped[datetime]
    name: Mapped[str]
    author: Mapped[str]
    new_name: Mapped[str]
    new_author: Mapped[str]
    reason: Mapped[str]


TOLD_ONCE = "kind IN ('announce', 'begin', 'unshown', 'value', 'finish')"
"""Which entries a season has once at most."""


class ManifestRow(Base):
    """A season's manifest, exactly as it is hashed."""

    __tablename__ = "manifests"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    text: Mapped[str]


class LedgerRow(Base):
    """An entry of a tournament's ledger, exactly as it is hashed; `season` and `kind` find it."""

    __tablename__ = "ledger"
    __table_args__ = (
        Index("ix_ledger_season", "tournament_id", "season", "kind"),
        Index(
            "ix_ledger_once",
            *("tournament_id", "season", "kind"),
            unique=True,
            sqlite_where=condition(TOLD_ONCE),
            postgresql_where=condition(TOLD_ONCE),
        ),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    season: Mapped[int]
    kind: Mapped[str]
    text: Mapped[str]
