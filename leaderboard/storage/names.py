"""The names that bots have, and those that they had before they were moved."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.storage.models import BotRow
from leaderboard.storage.models_of_interventions import MoveRow


def bot_of_name(session: Session, name: str) -> int | None:
    """The bot that has this name, or else had it."""
    found = session.scalar(select(BotRow.id).where(BotRow.name == name))
    return found or session.scalar(select(MoveRow.bot_id).where(MoveRow.name == name).limit(1))


def now_called(session: Session, name: str) -> str | None:
    """What the bot is called now that had this name; None if no bot has given it up."""
    query = select(BotRow.name).join(MoveRow, MoveRow.bot_id == BotRow.id)
    return session.scalar(
        query.where(MoveRow.name == name, BotRow.name != name).order_by(MoveRow.id.desc()).limit(1)
    )
