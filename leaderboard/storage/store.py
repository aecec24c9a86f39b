"""Keeping what happened: the one place that writes to the database.

Every method is one transaction. Writers of other processes may come between two calls, never
into one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, TypeVar

from sqlalchemy import Select, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased, defer

from leaderboard.results import Difference, Played, Result, sheet, storable
from leaderboard.storage import audit, rating_cache
from leaderboard.storage.audit import Checked, DamagedRecord
from leaderboard.storage.database import Database, StoreError, Unknown
from leaderboard.storage.entries import Build, Entrant, Season, Submission, Version
from leaderboard.storage.models import (
    BotRow,
    BuildRow,
    EntrantRow,
    FaultRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    StderrRow,
    TournamentRow,
    VersionRow,
)
from tables.game import Seat
from tables.record import Record
from tables.seating import Seating

__all__ = [
    "Build",
    "Checked",
    "DamagedRecord",
    "Entrant",
    "NameTaken",
    "Season",
    "Store",
    "StoreError",
    "Submission",
    "Unknown",
    "UnknownBot",
    "UnknownMatch",
    "Version",
]

LONGEST_AUTHOR = 80
LONGEST_LOG = 64 * 1024
MOST_TAGS = 20
_TAG = re.compile(r"[a-z0-9_-]{1,32}")

_Named = TypeVar("_Named", BotRow, TournamentRow)


class UnknownBot(Unknown):
    """No bot or version of this name, with names that are near; raised where one is looked for."""


class NameTaken(StoreError):
    """A bot's name belongs to another author; raised by `submit`."""


class UnknownMatch(Unknown):
    """No match of this key is stored; raised by `records`."""


class Store:
    """All the state of the arena, in the database at `url`.

    `sqlite:///path/to/file` is made where it is not there; `postgresql+psycopg://user@host/name`
    must exist. Older tables are brought up to date. `patience` is how many seconds a writer waits
    for another one. Every method raises `StoreError` where the database can't be used.
    """

    def __init__(self, url: str, patience: float = 30.0) -> None:
        self.database = Database(url, patience)

    def close(self) -> None:
        """Let go of every connection."""
        self.database.close()

    # Bots

    def submit(
        self, submission: Submission, author: str, tags: Collection[str] = ()
    ) -> tuple[Version, bool]:
        """Take in a bundle; the second value says whether it is a new version.

        A bundle like the bot's latest version is that version again. A name belongs to the author
        who submitted it first: raises `NameTaken` for anybody else. `tags` are given to the bot as
        by `tag`, and raise the same.
        """
        author = " ".join(author.split())
        if not author or len(author) > LONGEST_AUTHOR or not author.isprintable():
            raise StoreError(
                f"the author's name must have 1 to {LONGEST_AUTHOR} characters that can be printed"
            )
        with self.database.writing() as session:
            bot = _locked(session, BotRow, submission.name, author=author, tags=[])
            if bot.author != author:
                raise NameTaken(
                    f"the name {bot.name} belongs to {bot.author}, who submitted it first:"
                    " choose another name for your bot"
                )
            _give_tags(bot, tags)
            latest = session.scalar(
                select(VersionRow)
                .where(VersionRow.bot_id == bot.id)
                .order_by(VersionRow.number.desc())
                .limit(1)
                .options(defer(VersionRow.archive))
            )
            if latest is not None and latest.digest == submission.digest:
                return _version(latest, bot), False
            row = VersionRow(
                bot_id=bot.id,
                number=latest.number + 1 if latest is not None else 1,
                games=list(submission.games),
                protocol=submission.protocol,
                language=submission.language,
                about=submission.about,
                tags=list(submission.tags),
                digest=submission.digest,
                archive=submission.archive,
                submitted=datetime.now(UTC),
            )
            session.add(row)
            session.flush()
            return _version(row, bot), True

    def latest(self, game: str) -> Sequence[Version]:
        """The newest version of every bot, where it plays this game, in order of name.

        Bots that are withdrawn are left out.
        """
        other = aliased(VersionRow)
        newer = exists().where(other.bot_id == VersionRow.bot_id, other.number > VersionRow.number)
        with self.database.reading() as session:
            there = _versions().where(~newer, BotRow.withdrawn.is_(None))
            rows = session.execute(there.order_by(BotRow.name))
            return [_version(row, bot) for row, bot in rows if game in row.games]

    def version(self, name: str) -> Version:
        """Find "davey" (its newest version) or "davey@3"; raises `UnknownBot`."""
        bot_name, _, number = name.partition("@")
        with self.database.reading() as session:
            query = _versions().where(BotRow.name == bot_name).order_by(VersionRow.number.desc())
            found = [_version(row, bot) for row, bot in session.execute(query)]
            if not found:
                raise _unknown(session, bot_name)
        chosen = [v for v in found if number in ("", str(v.number))]
        if not chosen:
            raise UnknownBot(
                f"{bot_name} has no version {number[:20]!r}: its newest is {found[0].number}"
            )
        return chosen[0]

    def withdraw(self, name: str) -> datetime:
        """Enter a bot, with all its versions, in no new season; gives since when that holds.

        What it played stays, and a season that has begun goes on with it. A newer version does not
        bring it back. Raises `UnknownBot`.
        """
        with self.database.writing() as session:
            bot = _bot(session, name)
            bot.withdrawn = bot.withdrawn or datetime.now(UTC)
            return bot.withdrawn

    def readmit(self, name: str) -> bool:
        """Take a withdrawal back; False where there was none. Raises `UnknownBot`."""
        with self.database.writing() as session:
            bot = _bot(session, name)
            was_withdrawn = bot.withdrawn is not None
            bot.withdrawn = None
            return was_withdrawn

    def tag(self, name: str, tags: Collection[str]) -> tuple[str, ...]:
        """Give a bot, with all its versions, tags of the organiser's; gives all that it bears.

        Raises `UnknownBot`, and `StoreError` for a tag that is no name or one too many.
        """
        with self.database.writing() as session:
            bot = _bot(session, name)
            _give_tags(bot, tags)
            return tuple(bot.tags)

    def untag(self, name: str, tags: Collection[str]) -> tuple[str, ...]:
        """Take tags of the organiser's away from a bot; gives those that are left.

        Raises `UnknownBot`, and `StoreError` for a tag that the bot does not bear.
        """
        with self.database.writing() as session:
            bot = _bot(session, name)
            for tag in tags:
                if tag not in bot.tags:
                    borne = ", ".join(bot.tags) or "none"
                    raise StoreError(f"{name} is not tagged {tag[:80]!r}; its tags: {borne}")
            bot.tags = [tag for tag in bot.tags if tag not in tags]
            return tuple(bot.tags)

    def archive(self, version_id: int) -> bytes:
        """The packed files of a version."""
        with self.database.reading() as session:
            query = select(VersionRow.archive).where(VersionRow.id == version_id)
            return session.execute(query).scalar_one()

    def versions(self, version_ids: Sequence[int]) -> Mapping[int, Version]:
        """What is kept of each of these versions, but its files."""
        with self.database.reading() as session:
            rows = session.execute(_versions().where(VersionRow.id.in_(version_ids)))
            return {row.id: _version(row, bot) for row, bot in rows}

    def note_build(self, version_id: int, ok: bool, reason: str, log: str) -> None:
        """Keep how building a version went, in place of the last time; a log keeps its end."""
        with self.database.writing() as session:
            session.merge(
                BuildRow(
                    version_id=version_id,
                    ok=ok,
                    reason=storable(reason),
                    log=storable(log[-LONGEST_LOG:]),
                    built=datetime.now(UTC),
                )
            )

    def build(self, version_id: int) -> Build | None:
        """How building a version went the last time; None where nobody tried."""
        with self.database.reading() as session:
            row = session.get(BuildRow, version_id)
            return Build(row.ok, row.reason, row.log, row.built) if row is not None else None

    # Seasons

    def seasons(self, tournament: str) -> Sequence[Season]:
        """Every season of a tournament, the first one first."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(SeasonRow)
                .join(TournamentRow)
                .where(TournamentRow.name == tournament)
                .order_by(SeasonRow.number)
            )
            return [_season(row, tournament) for row in rows]

    def begin_season(
        self,
        tournament: str,
        settings: Mapping[str, Any],
        points_title: str,
        seed: bytes,
        entrants: Sequence[Entrant],
        due: datetime,
        *,
        rated: bool = True,
    ) -> Season:
        """Open the next season of a tournament and freeze its settings and its line-up.

        The matches of a season that is not `rated` count for nobody's rating.
        """
        with self.database.writing() as session:
            owner = _locked(session, TournamentRow, tournament)
            newest = select(func.max(SeasonRow.number)).where(SeasonRow.tournament_id == owner.id)
            row = SeasonRow(
                tournament_id=owner.id,
                number=(session.scalar(newest) or 0) + 1,
                settings=dict(settings),
                points_title=points_title,
                rated=rated,
                seed=seed,
                due=due,
                started=datetime.now(UTC),
            )
            session.add(row)
            session.flush()
            session.add_all(
                EntrantRow(
                    season_id=row.id,
                    version_id=entrant.version_id,
                    place=place,
                    sits_out=storable(entrant.sits_out),
                )
                for place, entrant in enumerate(entrants)
            )
            return _season(row, tournament)

    def announce(
        self, tournaments: Mapping[str, Mapping[str, Any]], *, all_there_are: bool
    ) -> None:
        """Keep what the next season of each of these tournaments will be: its settings, by name.

        Where these are `all_there_are`, nothing else is announced any more.
        """
        with self.database.writing() as session:
            for name, settings in tournaments.items():
                _locked(session, TournamentRow, name).announced = dict(settings)
            if all_there_are:
                others = TournamentRow.name.not_in(tournaments)
                session.execute(update(TournamentRow).where(others).values(announced=None))

    def plan_season(self, season_id: int, matches: int | None) -> None:
        """Keep how many matches a season comes to, those that are played included.

        None where nobody can tell.
        """
        with self.database.writing() as session:
            session.execute(
                update(SeasonRow).where(SeasonRow.id == season_id).values(planned=matches)
            )

    def entrants(self, season_id: int) -> Sequence[Entrant]:
        """A season's line-up, in the order it was given."""
        with self.database.reading() as session:
            query = select(EntrantRow).where(EntrantRow.season_id == season_id)
            rows = session.scalars(query.order_by(EntrantRow.place))
            return [Entrant(row.version_id, row.sits_out) for row in rows]

    def save_points(self, season_id: int, points: Mapping[int, float]) -> None:
        """Keep the format's own score of each version so far."""
        with self.database.writing() as session:
            session.execute(
                update(EntrantRow),
                [
                    {"season_id": season_id, "version_id": version, "points": value}
                    for version, value in points.items()
                ],
            )

    def points(self, season_id: int) -> Mapping[int, float]:
        """The format's own score of each version that has one."""
        with self.database.reading() as session:
            query = select(EntrantRow.version_id, EntrantRow.points).where(
                EntrantRow.season_id == season_id, EntrantRow.points.is_not(None)
            )
            rows = session.execute(query.order_by(EntrantRow.place))
            return {version: points for version, points in rows if points is not None}

    def finish_season(self, season_id: int) -> None:
        """Close a season: from now on its seed may be shown."""
        with self.database.writing() as session:
            session.execute(
                update(SeasonRow)
                .where(SeasonRow.id == season_id, SeasonRow.finished.is_(None))
                .values(finished=datetime.now(UTC))
            )

    # Matches

    def save_match(self, season_id: int, played: Played) -> bool:
        """Keep a match with its records, and all that they say; False where it is kept already."""
        derived = sheet(played.records, played.seatings, played.sides)
        packed = [audit.packed(record) for record in played.records]
        written = [
            {"record": number, "seat": seat, "data": zlib.compress(text.encode())}
            for number, seats in enumerate(played.stderr)
            for seat, text in enumerate(seats)
            if text
        ]
        with self.database.writing() as session:
            lock = select(SeasonRow.id).where(SeasonRow.id == season_id).with_for_update()
            session.execute(lock).scalar_one()
            if session.scalar(select(MatchRow.id).where(MatchRow.key == played.key)) is not None:
                return False
            match = MatchRow(
                season_id=season_id,
                key=played.key,
                leg=played.leg,
                round=played.round,
                seconds=played.seconds,
                shoe=list(derived.shoe),
                stored=datetime.now(UTC),
            )
            session.add(match)
            session.flush()
            seats = [
                {"match_id": match.id, "version_id": version, **asdict(tally)}
                for version, tally in zip(played.versions, derived.tallies, strict=True)
            ]
            session.execute(insert(SeatRow), seats)
            session.execute(
                insert(RecordRow),
                [
                    {"match_id": match.id, "number": number, "seating": seating, "data": data}
                    for number, (seating, data) in enumerate(
                        zip(played.seatings, packed, strict=True)
                    )
                ],
            )
            if written:
                session.execute(
                    insert(StderrRow), [{"match_id": match.id, **row} for row in written]
                )
            if derived.mishaps:
                faults = []
                for mishap in derived.mishaps:
                    values = asdict(mishap)
                    version = played.versions[values.pop("entrant")]
                    faults.append({"match_id": match.id, "version_id": version, **values})
                session.execute(insert(FaultRow), faults)
            return True

    def results(self, season_id: int) -> Sequence[Result]:
        """Every stored match of a season in brief, in key order."""
        with self.database.reading() as session:
            return rating_cache.results(session, season_id)

    def records(self, key: str) -> tuple[Record, ...]:
        """The records of a stored match; raises `UnknownMatch` and `DamagedRecord`."""
        return tuple(record for _, record in self.games(key))

    def games(self, key: str) -> tuple[tuple[Seating, Record], ...]:
        """The games of a stored match, each with the entrant of every seat.

        Raises `UnknownMatch` and `DamagedRecord`.
        """
        with self.database.reading() as session:
            found = audit.games(session, key)
        if not found:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        return found

    def stderr(self, key: str) -> Mapping[tuple[int, Seat], str]:
        """What bots wrote on standard error in a stored match, by game (from 0) and seat.

        Only those are there that wrote anything. It is for the bot's author and for nobody else.
        """
        with self.database.reading() as session:
            rows = session.scalars(
                select(StderrRow)
                .join(MatchRow, MatchRow.id == StderrRow.match_id)
                .where(MatchRow.key == key)
                .order_by(StderrRow.record, StderrRow.seat)
            )
            return {(row.record, row.seat): zlib.decompress(row.data).decode() for row in rows}

    # Ratings, and whether the stored numbers are right

    def refresh_ratings(self, tournament: str) -> None:
        """Rate the matches that are not rated yet: the fold over all seasons in key order."""
        with self.database.writing() as session:
            owner = session.scalar(
                select(TournamentRow).where(TournamentRow.name == tournament).with_for_update()
            )
            if owner is not None:
                rating_cache.refresh(session, owner.id)

    def checked(self, season_id: int) -> Iterator[Checked]:
        """Every match of a season in key order, its stored numbers compared with its records.

        The matches are read one by one, so that the caller may take its time with each.
        """
        with self.database.reading() as session:
            query = select(MatchRow.id).where(MatchRow.season_id == season_id)
            matches = session.scalars(query.order_by(MatchRow.key)).all()
        for match_id in matches:
            with self.database.reading() as session:
                match = audit.checked(session, match_id)
            yield match

    def check_ratings(self, tournament: str) -> Sequence[Difference]:
        """Fold all seasons anew and compare: the ratings in the store that are not what they say.

        A match that is not rated yet counts as a difference.
        """
        with self.database.reading() as session:
            query = select(TournamentRow.id).where(TournamentRow.name == tournament)
            tournament_id = session.scalar(query)
            if tournament_id is None:
                return []
            return [
                Difference(cell.where, "rating", cell.stored, cell.derived)
                for cell in rating_cache.cells(session, tournament_id)
                if cell.stored != cell.derived
            ]


def _locked(session: Session, model: type[_Named], name: str, **others: object) -> _Named:
    """Find the row of a name, or make it, and keep other writers from it until the end."""
    query = select(model).where(model.name == name).with_for_update()
    found = session.scalar(query)
    if found is not None:
        return found
    try:
        with session.begin_nested():
            session.add(model(name=name, **others))
    except IntegrityError:  # on PostgreSQL another writer may have made it just now
        session.expire_all()
    return session.execute(query).scalar_one()


def _bot(session: Session, name: str) -> BotRow:
    """Find a bot and keep other writers from it until the end; raises `UnknownBot`."""
    found = session.scalar(select(BotRow).where(BotRow.name == name).with_for_update())
    if found is None:
        raise _unknown(session, name)
    return found


def _give_tags(bot: BotRow, tags: Collection[str]) -> None:
    """Raise `StoreError` for a tag that is no name, or where there would be too many."""
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise StoreError(
                f"{tag[:80]!r} is no tag: expected 1 to 32 of the characters a-z, 0-9, - and _"
            )
    all_tags = sorted({*bot.tags, *tags})
    if len(all_tags) > MOST_TAGS:
        raise StoreError(
            f"{bot.name} would bear {len(all_tags)} tags; a bot bears {MOST_TAGS} at most"
        )
    bot.tags = all_tags


def _unknown(session: Session, name: str) -> UnknownBot:
    names = session.scalars(select(BotRow.name)).all()
    near = " or ".join(get_close_matches(name, names))
    hint = f"; did you mean {near}?" if near else ""
    return UnknownBot(f"no bot is called {name[:80]!r}{hint}")


def _versions() -> Select[VersionRow, BotRow]:
    """Versions with their bots, without the archives."""
    return (
        select(VersionRow, BotRow)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .options(defer(VersionRow.archive))
    )


def _version(row: VersionRow, bot: BotRow) -> Version:
    return Version(
        id=row.id,
        bot=bot.name,
        number=row.number,
        author=bot.author,
        games=tuple(row.games),
        protocol=row.protocol,
        language=row.language,
        about=row.about,
        tags=tuple(row.tags),
        digest=row.digest,
        submitted=row.submitted,
        withdrawn=bot.withdrawn,
        organiser_tags=tuple(bot.tags),
    )


def _season(row: SeasonRow, tournament: str) -> Season:
    return Season(
        id=row.id,
        tournament=tournament,
        number=row.number,
        settings=row.settings,
        points_title=row.points_title,
        rated=row.rated,
        seed=row.seed,
        due=row.due.astimezone(UTC),
        started=row.started,
        finished=row.finished,
    )
