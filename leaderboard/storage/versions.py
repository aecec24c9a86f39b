"""Reading versions of bots: the query, and the meaning of its rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, exists, select
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
    }


def version_of(row: VersionRow, bot: BotRow) -> Version:
    """The stored data of a version, without its files."""
    return Version(**facts(row, bot))


def build_of(row: BuildRow) -> Build:
    """The outcome of a version's last build."""
    return Build(row.ok, row.reason, row.log, row.built)
