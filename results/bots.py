"""Bots as submitted: their versions and builds, and the versions that `entrants` select."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, or_, select
from sqlalchemy.orm import Session, aliased, defer

from card_arena.common.moments import from_iso
from card_arena.common.text import (
    LONGEST_TITLE,
    did_you_mean,
    mixes_scripts,
    name_flaw,
    nearest,
    skeleton,
    storable,
)
from card_arena.results.database import Repository, locked
from card_arena.results.entries import Build, Submission, Version, tagged
from card_arena.results.errors import StoreError, Unknown, checked_reason
from card_arena.results.ledger import append, awaiting, entries_of, season_locked
from card_arena.results.models import (
    BotRow,
    BuildRow,
    EntrantRow,
    MoveRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
    from_row,
)
from card_arena.results.proof.ledger import checked_hash, checked_nonce, value_of
from card_arena.results.proof.manifest import BadPublicValue


def versions() -> Select[VersionRow, BotRow]:
    """Versions with their bots, without the archives."""
    return (
        select(VersionRow, BotRow)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .options(defer(VersionRow.archive))
    )


def is_newest() -> ColumnElement[bool]:
    """Whether no version of the same bot has a higher number."""
    other = aliased(VersionRow)
    return ~exists().where(other.bot_id == VersionRow.bot_id, other.number > VersionRow.number)


def is_active() -> ColumnElement[bool]:
    """Whether new seasons enter this version of its bot: the chosen one, or else the newest."""
    chosen = VersionRow.number == BotRow.chosen
    return or_(chosen, and_(BotRow.chosen.is_(None), is_newest()))


def facts(row: VersionRow, bot: BotRow) -> dict[str, Any]:
    """The fields of a `Version`, by name."""
    return {
        "id": row.id,
        "bot": bot.name,
        "number": row.number,
        "author": bot.author,
        "games": tuple(row.games),
        "protocol": row.protocol,
        "language": row.language,
        "about": row.about,
        "tags": tuple(row.tags),
        "digest": row.digest,
        "submitted": row.submitted,
        "withdrawn": bot.withdrawn,
        "organiser_tags": tuple(bot.tags),
        "title": bot.title or "",
        "chosen": bot.chosen,
    }


def version_of(row: VersionRow, bot: BotRow) -> Version:
    """The stored data of a version, without its files."""
    return Version(**facts(row, bot))


MOST_TAGS = 20
_TAG = re.compile(r"[a-z0-9_-]{1,32}")


class UnknownBot(Unknown):
    """No bot or version has this name; the message names similar ones."""


def give_tags(bot: BotRow, tags: Collection[str]) -> None:
    """Add tags to a bot; raises `StoreError` for one that is not a name, or for too many."""
    for tag in tags:
        if flaw := name_flaw(tag):
            raise StoreError(f"{tag[:80]!r} is not a tag: it {flaw}")
        if not _TAG.fullmatch(tag):
            raise StoreError(
                f"{tag[:80]!r} is not a tag: expected 1 to 32 of the characters a-z, 0-9, - and _"
            )
    all_tags = sorted({*bot.tags, *tags})
    if len(all_tags) > MOST_TAGS:
        raise StoreError(
            f"{bot.name} would have {len(all_tags)} tags; a bot has {MOST_TAGS} at most"
        )
    bot.tags = all_tags


def unknown_bot(session: Session, name: str) -> UnknownBot:
    """The error for a name that no bot has; it suggests similar names."""
    names = session.scalars(select(BotRow.name)).all()
    hint = did_you_mean(nearest(name, names, 3))
    return UnknownBot(f"no bot is called {name[:80]!r}" + (f"; {hint}" if hint else ""))


def bot_row(session: Session, name: str) -> BotRow:
    """Find a bot and lock it until the transaction ends; raises `UnknownBot`."""
    bot = session.scalar(select(BotRow).where(BotRow.name == name).with_for_update())
    if bot is None:
        raise unknown_bot(session, name)
    return bot


def bot_of_name(session: Session, name: str) -> int | None:
    """The bot that has this name, or else had it."""
    bot_id = session.scalar(select(BotRow.id).where(BotRow.name == name))
    return bot_id or session.scalar(select(MoveRow.bot_id).where(MoveRow.name == name).limit(1))


def now_called(session: Session, name: str) -> str | None:
    """The current name of the bot that had this name; None if no bot has given it up."""
    query = select(BotRow.name).join(MoveRow, MoveRow.bot_id == BotRow.id)
    return session.scalar(
        query.where(MoveRow.name == name, BotRow.name != name).order_by(MoveRow.id.desc()).limit(1)
    )


LONGEST_AUTHOR = 80
LONGEST_LOG = 64 * 1024


def author_flaw(name: str) -> str:
    """The rule that the name of an author, a team or a person breaks; empty if none."""
    if not name or len(name) > LONGEST_AUTHOR:
        return f"must have 1 to {LONGEST_AUTHOR} characters that can be printed"
    return name_flaw(name)


class NameTaken(StoreError):
    """A bot's name belongs to another author; raised by `submit`."""


class BadTitle(StoreError):
    """A bot can't have this title; the message says why."""


class HasPlayed(StoreError):
    """Something can't be deleted, because a season has it in its line-up."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The bots whose nonces were `shown` in a season, the missing ones, and the value if known."""

    season: int
    shown: Sequence[str]
    missing: Sequence[str]
    value: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """A bot `name` of an `author` got another name, another author, or both."""

    made: datetime
    name: str
    author: str
    new_name: str
    new_author: str
    reason: str


class BotRepository(Repository):
    """Bots: their versions and builds, titles and tags, nonces, and moves to other authors."""

    def submit(
        self, submission: Submission, author: str, tags: Collection[str] = ()
    ) -> tuple[Version, bool]:
        """Store a bundle; the second value says whether it is a new version.

        A bundle identical to the bot's latest version is that version again; a new one is the
        active version. A name belongs to the author who submitted it first: others get a
        `NameTaken`. `tags` are added to the bot as by `tag`, with the same errors.
        """
        author = " ".join(author.split())
        if flaw := author_flaw(author):
            raise StoreError(f"the author's name {flaw}")
        with self.database.writing() as session:
            if now := now_called(session, submission.name):
                raise NameTaken(
                    f"the bot {submission.name} is called {now} now: name your bot {now} if it is"
                    " that one, or else choose another name"
                )
            bot = locked(session, BotRow, submission.name, author=author, tags=[])
            if bot.author != author:
                raise NameTaken(
                    f"the name {bot.name} belongs to {bot.author}, who submitted it first:"
                    " choose another name for your bot"
                )
            give_tags(bot, tags)
            latest = session.scalar(
                select(VersionRow)
                .where(VersionRow.bot_id == bot.id)
                .order_by(VersionRow.number.desc())
                .limit(1)
                .options(defer(VersionRow.archive))
            )
            if latest is not None and latest.digest == submission.digest:
                return version_of(latest, bot), False
            row = VersionRow(
                bot_id=bot.id,
                number=max(latest.number if latest else 0, bot.deleted) + 1,
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
            bot.chosen = None
            session.flush()
            return version_of(row, bot), True

    def is_taken(self, name: str, author: str) -> bool:
        """Whether `submit` would refuse a bot of this name from an author, as things are now."""
        with self.database.reading() as session:
            owner = session.scalar(select(BotRow.author).where(BotRow.name == name))
            return owner not in (None, author) or now_called(session, name) is not None

    def latest(self, game: str) -> Sequence[Version]:
        """The active version of every bot, if it plays this game, in order of name.

        That is the newest one, unless its author has chosen an older one. Withdrawn bots are left
        out.
        """
        with self.database.reading() as session:
            active = versions().where(is_active(), BotRow.withdrawn.is_(None))
            rows = session.execute(active.order_by(BotRow.name))
            return [version_of(row, bot) for row, bot in rows if game in row.games]

    def version(self, name: str) -> Version:
        """Find "davey" (its active version) or "davey@3"; raises `UnknownBot`."""
        bot_name, _, number = name.partition("@")
        with self.database.reading() as session:
            query = versions().where(BotRow.name == bot_name).order_by(VersionRow.number.desc())
            candidates = [version_of(row, bot) for row, bot in session.execute(query)]
            if not candidates:
                raise unknown_bot(session, bot_name)
        newest = candidates[0]
        number = number or str(newest.chosen or newest.number)
        for version in candidates:
            if str(version.number) == number:
                return version
        raise UnknownBot(
            f"{bot_name} has no version {number[:20]!r}: its newest is {newest.number}"
        )

    def versions(self, version_ids: Sequence[int]) -> Mapping[int, Version]:
        """The stored data of each of these versions, without its files."""
        with self.database.reading() as session:
            rows = session.execute(versions().where(VersionRow.id.in_(version_ids)))
            return {row.id: version_of(row, bot) for row, bot in rows}

    def archive(self, version_id: int) -> bytes:
        """The packed files of a version."""
        with self.database.reading() as session:
            query = select(VersionRow.archive).where(VersionRow.id == version_id)
            return session.execute(query).scalar_one()

    def note_build(self, version_id: int, ok: bool, reason: str, log: str) -> None:
        """Store the outcome of a version's last build; only the end of a long log is kept."""
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
        """The outcome of a version's last build; None if it was never tried."""
        with self.database.reading() as session:
            row = session.get(BuildRow, version_id)
            return None if row is None else from_row(Build, row)

    def withdraw(self, name: str) -> datetime:
        """Keep all versions of a bot out of new seasons; return since when that holds.

        Its matches stay, and a season that has begun continues with it. A newer version does not
        bring it back. Raises `UnknownBot`.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            bot.withdrawn = bot.withdrawn or datetime.now(UTC)
            return bot.withdrawn

    def readmit(self, name: str) -> bool:
        """Undo a withdrawal; return False if there was none. Raises `UnknownBot`."""
        with self.database.writing() as session:
            bot = bot_row(session, name)
            was_withdrawn = bot.withdrawn is not None
            bot.withdrawn = None
            return was_withdrawn

    def tag(self, name: str, tags: Collection[str]) -> tuple[str, ...]:
        """Add organiser's tags to a bot with all its versions; return all its tags.

        Raises `UnknownBot`, and `StoreError` for a tag that is not a name, or for too many tags.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            give_tags(bot, tags)
            return tuple(bot.tags)

    def untag(self, name: str, tags: Collection[str]) -> tuple[str, ...]:
        """Remove organiser's tags from a bot; return the remaining ones.

        Raises `UnknownBot`, and `StoreError` for a tag that the bot does not have.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            for tag in tags:
                if tag not in bot.tags:
                    its_tags = ", ".join(bot.tags) or "none"
                    raise StoreError(f"{name} is not tagged {tag[:80]!r}; its tags: {its_tags}")
            bot.tags = [tag for tag in bot.tags if tag not in tags]
            return tuple(bot.tags)

    def choose(self, name: str, number: int | None = None) -> int:
        """Have new seasons enter this version of a bot, None for the newest; return its number.

        The next version that is submitted plays again. Raises `UnknownBot`.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            newest = max(_numbers(session, bot, number))
            bot.chosen = None if number in (None, newest) else number
            return number or newest

    def give_title(self, name: str, title: str) -> str:
        """Show a title beside a bot's name, none if it is empty; return it as it is shown.

        Raises `UnknownBot`, and `BadTitle` for one that can't be printed, or that people would take
        for another bot.
        """
        title = " ".join(title.split())
        if len(title) > LONGEST_TITLE or not title.isprintable():
            raise BadTitle(
                f"a title has up to {LONGEST_TITLE} characters that can be printed;"
                f" got {title[:80]!r}"
            )
        if mixes_scripts(title):
            raise BadTitle(f"the letters of the title {title!r} are of more than one script")
        with self.database.writing() as session:
            bot = bot_row(session, name)
            if title:
                _demand_unlike(session, bot, title)
            bot.title = title or None
            return title

    def delete_version(self, name: str, number: int) -> None:
        """Delete a version that was in no season's line-up; its number is not given again.

        Raises `UnknownBot`, `HasPlayed`, and `StoreError` for a bot's only version.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            if len(_numbers(session, bot, number)) == 1:
                raise StoreError(f"{name} has no other version: delete the bot itself")
            _delete(session, bot, number)
            bot.deleted = max(bot.deleted, number)
            if bot.chosen == number:
                bot.chosen = None

    def delete_bot(self, name: str) -> None:
        """Delete a bot of which no version was in a season's line-up; its name is free again.

        Raises `UnknownBot` and `HasPlayed`.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            for number in _numbers(session, bot):
                _delete(session, bot, number)
            session.execute(delete(MoveRow).where(MoveRow.bot_id == bot.id))
            session.delete(bot)

    def deletable(self, name: str) -> frozenset[int]:
        """The numbers of a bot's versions that were in no season's line-up."""
        entered = select(EntrantRow.version_id).where(EntrantRow.version_id == VersionRow.id)
        query = (
            select(VersionRow.number)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(BotRow.name == name, ~entered.exists())
        )
        with self.database.reading() as session:
            return frozenset(session.scalars(query))

    def submit_nonce(self, bot: str, nonce_hash: str) -> str:
        """Store the hash of a bot's nonce for later seasons, in place of an older one.

        Raises `UnknownBot`, and `BadPublicValue` for a malformed hash.
        """
        checked = checked_hash(nonce_hash)
        with self.database.writing() as session:
            bot_row(session, bot).nonce = checked
        return checked

    def nonces(self, version_ids: Sequence[int]) -> Mapping[str, str]:
        """The submitted nonce hashes of the bots of these versions, by the bots' names."""
        with self.database.reading() as session:
            rows = session.execute(
                select(BotRow.name, BotRow.nonce)
                .join(VersionRow, VersionRow.bot_id == BotRow.id)
                .where(VersionRow.id.in_(version_ids), BotRow.nonce.is_not(None))
                .order_by(BotRow.name)
            )
            return {name: nonce for name, nonce in rows if nonce is not None}

    def show(self, tournament: str, bot: str, text: str) -> Shown:
        """Tell the ledger of a nonce; the last one makes the public value.

        Raises `NothingAwaited`, and `BadPublicValue` for another nonce than the submitted one.
        """
        with self.database.writing() as session:
            row, source = awaiting(session, tournament)
            nonce = checked_nonce(bot, text, source)
            if bot in _shown(session, row):
                raise BadPublicValue(f"the nonce of {bot} was already shown")
            append(session, row.tournament_id, "nonce", row.number, bot=bot, nonce=nonce)
            return _settled(session, row, source)

    def settle(self, tournament: str) -> Shown:
        """Make the public value of what was shown, if all were or the time for it is over.

        Raises `NothingAwaited`, and `BadPublicValue` if the season waits for no nonces.
        """
        with self.database.writing() as session:
            row, source = awaiting(session, tournament)
            if source["source"] != "nonces":
                raise BadPublicValue(f"season {row.number} waits for no nonces: type its value in")
            return _settled(session, row, source)

    def settle_late(self, season_id: int) -> str | None:
        """The public value that a season's nonces give; None while some may still be shown."""
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            if row.public_value is None and (row.value_from or {}).get("source") == "nonces":
                _settled(session, row, row.value_from or {})
            return row.public_value

    def move(self, name: str, new_name: str, new_author: str, reason: str) -> Move | None:
        """Give a bot this name and this author; None if it has them.

        Raises `UnknownBot`, and `StoreError` for a name that is or was another bot's, for an
        author's name that can't be one, and without a reason.
        """
        reason, author = checked_reason(reason), " ".join(new_author.split())
        if flaw := author_flaw(author):
            raise StoreError(f"the author's name {flaw}")
        with self.database.writing() as session:
            bot = bot_row(session, name)
            if (bot.name, bot.author) == (new_name, author):
                return None
            if _taken(session, bot, new_name):
                raise StoreError(f"the name {new_name} is another bot's, or was: choose another")
            move = Move(datetime.now(UTC), bot.name, bot.author, new_name, author, reason)
            session.add(MoveRow(bot_id=bot.id, **asdict(move)))
            facts = {"bot": bot.name, "author": bot.author, "reason": reason}
            bot.name, bot.author = new_name, author
            for tournament, season in _entered(session, bot.id):
                append(
                    session, tournament, "move", season, to_bot=new_name, to_author=author, **facts
                )
            return move

    def moves(self, name: str) -> Sequence[Move]:
        """How the bot that has this name now, or had it, was moved; the first move first."""
        with self.database.reading() as session:
            bot_id = bot_of_name(session, name)
            query = select(MoveRow).where(MoveRow.bot_id == bot_id).order_by(MoveRow.id)
            return [from_row(Move, row) for row in session.scalars(query)]

    def moved_to(self, name: str) -> str | None:
        """The current name of the bot that had this name; None if no bot has given it up."""
        with self.database.reading() as session:
            return now_called(session, name)


def _numbers(session: Session, bot: BotRow, number: int | None = None) -> Sequence[int]:
    """The numbers of a bot's versions; raises `UnknownBot` if this `number` is not among them."""
    query = select(VersionRow.number).where(VersionRow.bot_id == bot.id)
    numbers = session.scalars(query.order_by(VersionRow.number)).all()
    if number is not None and number not in numbers:
        raise UnknownBot(f"{bot.name} has no version {number}: its newest is {max(numbers)}")
    return numbers


def _demand_unlike(session: Session, bot: BotRow, title: str) -> None:
    """Raise `BadTitle` for a title that looks like the name or the title of another bot."""
    mine = skeleton(title)
    if not mine:
        raise BadTitle(f"a title has a letter or a digit; got {title!r}")
    for other in session.scalars(select(BotRow).where(BotRow.id != bot.id)):
        for theirs in filter(None, (other.name, other.title)):
            if skeleton(theirs) == mine:
                raise BadTitle(f"the title {title!r} looks like {theirs!r}, which is another bot")


def _delete(session: Session, bot: BotRow, number: int) -> None:
    """Delete a version with its build; raises `HasPlayed`."""
    which = VersionRow.bot_id == bot.id, VersionRow.number == number
    version_id = session.scalars(select(VersionRow.id).where(*which)).one()
    season = session.execute(
        select(TournamentRow.name, SeasonRow.number)
        .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
        .join(EntrantRow, EntrantRow.season_id == SeasonRow.id)
        .where(EntrantRow.version_id == version_id)
        .order_by(SeasonRow.id)
        .limit(1)
    ).first()
    if season is not None:
        raise HasPlayed(
            f"{bot.name} v{number} can't be deleted: season {season.number} of {season.name} was"
            " played with it, and results stay; withdraw the bot instead"
        )
    session.execute(delete(BuildRow).where(BuildRow.version_id == version_id))
    session.execute(delete(VersionRow).where(VersionRow.id == version_id))


def _shown(session: Session, row: SeasonRow) -> dict[str, str]:
    """The nonces of a season that were shown, by bot."""
    return {entry["bot"]: entry["nonce"] for entry in entries_of(session, row, "nonce")}


def _settled(session: Session, row: SeasonRow, source: Mapping[str, Any]) -> Shown:
    """Store the value if nothing can be shown any more that would change it."""
    shown = _shown(session, row)
    missing = sorted({*source["hashes"]} - {*shown})
    late = datetime.now(UTC) >= from_iso(source["until"])
    if late or not missing:
        if missing:
            append(session, row.tournament_id, "unshown", row.number, bots=missing)
        row.public_value = value_of(shown)
        append(session, row.tournament_id, "value", row.number, value=row.public_value)
    return Shown(row.number, sorted(shown), missing, row.public_value)


def _taken(session: Session, bot: BotRow, name: str) -> bool:
    """Whether a name is or was another bot's."""
    moved = select(MoveRow.bot_id).where(MoveRow.name == name)
    others = or_(BotRow.name == name, BotRow.id.in_(moved))
    return session.scalar(select(exists().where(BotRow.id != bot.id, others))) is True


def _entered(session: Session, bot_id: int) -> Sequence[tuple[int, int]]:
    """The tournaments in which a bot was entered, and the newest season of each."""
    rows = session.execute(
        select(SeasonRow.tournament_id, func.max(SeasonRow.number))
        .join(EntrantRow, EntrantRow.season_id == SeasonRow.id)
        .join(VersionRow, VersionRow.id == EntrantRow.version_id)
        .where(VersionRow.bot_id == bot_id)
        .group_by(SeasonRow.tournament_id)
        .order_by(SeasonRow.tournament_id)
    )
    return [(tournament, number) for tournament, number in rows]


@dataclass(frozen=True, slots=True)
class Selected:
    """A version selected under the `name` that the settings use.

    `version` is None if there is no such bot or version, and `unknown` says so. `too_many` says why
    it sits out though it is entered.
    """

    name: str
    version: Version | None
    unknown: UnknownBot | None = None
    too_many: str = ""

    def obstacle(self, game: str) -> str:
        """Return why it can't enter a season of this game; empty if no reason is known."""
        if self.version is None:
            return "it has not been submitted yet"
        if self.version.withdrawn:
            return "it is withdrawn"
        return self.too_many if game in self.version.games else "it does not play this game"


def selected(
    store: BotRepository, game: str, entrants: str | Sequence[str] | Mapping[str, Any]
) -> tuple[Selected, ...]:
    """Find the versions that settings mean, in the order of the line-up.

    `entrants` are "all", names such as davey or davey@3, or `{"tags": [...]}`. With "all" or tags
    it is the active version of every bot that plays the game (and has one of these organiser's
    tags), and all of these can be entered; a version that is named may have an `obstacle`.
    """
    if not isinstance(entrants, str | Mapping):
        return tuple(_named(store, name) for name in entrants)
    versions: Sequence[Version] = store.latest(game)
    if isinstance(entrants, Mapping):
        if entrants.get("tags"):
            versions = tagged(versions, entrants["tags"])
        if entrants.get("teams"):
            versions = [version for version in versions if version.author in entrants["teams"]]
        if entrants.get("per_team"):
            return _capped(versions, entrants["per_team"])
    return tuple(Selected(version.bot, version) for version in versions)


def _capped(versions: Sequence[Version], most: int) -> tuple[Selected, ...]:
    """All of these; those of an author that come after `most` newer ones sit out."""
    newest_first = sorted(
        versions, key=lambda version: (version.submitted, version.id), reverse=True
    )
    plays: dict[str, list[str]] = {}
    for version in newest_first:
        mine = plays.setdefault(version.author, [])
        if len(mine) < most:
            mine.append(version.bot)
    return tuple(
        Selected(
            version.bot,
            version,
            too_many=""
            if version.bot in plays[version.author]
            else f"{most} {'bot' if most == 1 else 'bots'} of a team can play, and"
            f" {' and '.join(plays[version.author])} of {version.author} came later",
        )
        for version in versions
    )


def _named(store: BotRepository, name: str) -> Selected:
    try:
        return Selected(name, store.version(name))
    except UnknownBot as error:
        return Selected(name, None, error)
