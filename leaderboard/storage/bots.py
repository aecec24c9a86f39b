"""Bots as submitted: their versions, and the build of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import defer

from common.escaping import storable
from common.names import name_flaw
from leaderboard.storage.curation import UnknownBot, give_tags, unknown_bot
from leaderboard.storage.database import StoreError
from leaderboard.storage.entries import Build, Submission, Version
from leaderboard.storage.models import BotRow, BuildRow, VersionRow
from leaderboard.storage.names import now_called
from leaderboard.storage.repository import Repository, locked
from leaderboard.storage.versions import build_of, is_active, version_of, versions

LONGEST_AUTHOR = 80
LONGEST_LOG = 64 * 1024


def author_flaw(name: str) -> str:
    """What the name of an author, a team or a person must not be; empty if it is sound."""
    if not name or len(name) > LONGEST_AUTHOR:
        return f"must have 1 to {LONGEST_AUTHOR} characters that can be printed"
    return name_flaw(name)


class NameTaken(StoreError):
    """A bot's name belongs to another author; raised by `submit`."""


class BotRepository(Repository):
    """Bots, their versions and their builds."""

    def submit(
        self, submission: Submission, author: str, tags: Collection[str] = ()
    ) -> tuple[Version, bool]:
        """Store a bundle; the second value says whether it is a new version.

        A bundle identical to the bot's latest version is that version again; a new one is the
        active version. A name belongs to the author who submitted it first: raises `NameTaken` for
        anybody else. `tags` are added to the bot as by `tag`, with the same errors.
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
            there = versions().where(is_active(), BotRow.withdrawn.is_(None))
            rows = session.execute(there.order_by(BotRow.name))
            return [version_of(row, bot) for row, bot in rows if game in row.games]

    def version(self, name: str) -> Version:
        """Find "davey" (its active version) or "davey@3"; raises `UnknownBot`."""
        bot_name, _, number = name.partition("@")
        with self.database.reading() as session:
            query = versions().where(BotRow.name == bot_name).order_by(VersionRow.number.desc())
            found = [version_of(row, bot) for row, bot in session.execute(query)]
            if not found:
                raise unknown_bot(session, bot_name)
        wanted = number or str(found[0].chosen or found[0].number)
        chosen = [version for version in found if str(version.number) == wanted]
        if not chosen:
            raise UnknownBot(
                f"{bot_name} has no version {wanted[:20]!r}: its newest is {found[0].number}"
            )
        return chosen[0]

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
            return build_of(row) if row is not None else None
