"""What an author decides about a bot: its title, which version plays, and what is deleted."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from common.lookalike import mixes_scripts, skeleton
from leaderboard.storage.curation import UnknownBot, bot_row
from leaderboard.storage.database import StoreError
from leaderboard.storage.models import (
    BotRow,
    BuildRow,
    EntrantRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.models_of_interventions import MoveRow
from leaderboard.storage.repository import Repository

LONGEST_TITLE = 40


class BadTitle(StoreError):
    """A bot can't have this title; the message says why."""


class HasPlayed(StoreError):
    """Something can't be deleted, because a season has it in its line-up."""


class AuthoringRepository(Repository):
    """Titles, active versions, and deletions."""

    def choose(self, name: str, number: int | None = None) -> int:
        """Have new seasons enter this version of a bot, None for the newest; return its number.

        The next version that is submitted plays again. Raises `UnknownBot`.
        """
        with self.database.writing() as session:
            bot = bot_row(session, name)
            numbers = _numbers(session, bot)
            if number is not None and number not in numbers:
                raise _no_version(name, number, numbers)
            newest = max(numbers)
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
            numbers = _numbers(session, bot)
            if number not in numbers:
                raise _no_version(name, number, numbers)
            if len(numbers) == 1:
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


def _numbers(session: Session, bot: BotRow) -> list[int]:
    query = select(VersionRow.number).where(VersionRow.bot_id == bot.id)
    return [*session.scalars(query.order_by(VersionRow.number))]


def _no_version(name: str, number: int, numbers: list[int]) -> UnknownBot:
    return UnknownBot(f"{name} has no version {number}: its newest is {max(numbers)}")


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
    found = VersionRow.bot_id == bot.id, VersionRow.number == number
    version_id = session.scalars(select(VersionRow.id).where(*found)).one()
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
