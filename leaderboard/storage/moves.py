"""Bots that belong to somebody else, or are called otherwise, from some day on.

Versions and results stay with the bot. Seasons that had begun know it as it was then, so the ledger
of every tournament in which it was entered tells of the move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.storage.bots import author_flaw
from leaderboard.storage.curation import bot_row
from leaderboard.storage.database import StoreError
from leaderboard.storage.ledger import append
from leaderboard.storage.models import BotRow, EntrantRow, SeasonRow, VersionRow
from leaderboard.storage.models_of_interventions import MoveRow
from leaderboard.storage.names import bot_of_name, now_called
from leaderboard.storage.reasons import checked_reason
from leaderboard.storage.repository import Repository


@dataclass(frozen=True, slots=True)
class Move:
    """That a bot `name` of an `author` became another name, another author's, or both."""

    made: datetime
    name: str
    author: str
    new_name: str
    new_author: str
    reason: str


class MoveRepository(Repository):
    """Bots' names and authors, and what they were before."""

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
            found = Move(datetime.now(UTC), bot.name, bot.author, new_name, author, reason)
            session.add(
                MoveRow(
                    bot_id=bot.id,
                    made=found.made,
                    name=found.name,
                    author=found.author,
                    new_name=new_name,
                    new_author=author,
                    reason=reason,
                )
            )
            facts = {"bot": bot.name, "author": bot.author}
            bot.name, bot.author = new_name, author
            facts |= {"to_bot": new_name, "to_author": author, "reason": reason}
            for tournament, season in _entered(session, bot.id):
                append(session, tournament, "move", season, **facts)
            return found

    def moves(self, name: str) -> Sequence[Move]:
        """How the bot that has this name now, or had it, was moved; the first move first."""
        with self.database.reading() as session:
            bot_id = bot_of_name(session, name)
            rows = session.scalars(
                select(MoveRow).where(MoveRow.bot_id == bot_id).order_by(MoveRow.id)
            )
            return [
                Move(row.made, row.name, row.author, row.new_name, row.new_author, row.reason)
                for row in rows
            ]

    def moved_to(self, name: str) -> str | None:
        """What the bot is called now that had this name; None if no bot has given it up."""
        with self.database.reading() as session:
            return now_called(session, name)


def _taken(session: Session, bot: BotRow, name: str) -> bool:
    """Whether a name is or was another bot's."""
    others = select(BotRow.id).where(BotRow.name == name, BotRow.id != bot.id)
    before = select(MoveRow.bot_id).where(MoveRow.name == name, MoveRow.bot_id != bot.id)
    return session.scalar(others) is not None or session.scalar(before.limit(1)) is not None


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
