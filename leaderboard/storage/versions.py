"""Reading versions of bots: the query, and the meaning of its rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.orm import aliased, defer

from leaderboard.storage.entries import Build, Version
from leaderboard.storage.models import BotRow, BuildRow, VersionRow


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


def build_of(row: BuildRow) -> Build:
    """The outcome of a version's last build."""
    return Build(row.ok, row.reason, row.log, row.built)
