"""An organiser's decisions about a bot: its tags, and whether new seasons enter it."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.did_you_mean import did_you_mean, nearest
from common.names import name_flaw
from leaderboard.storage.database import StoreError, Unknown
from leaderboard.storage.models import BotRow
from leaderboard.storage.repository import Repository

MOST_TAGS = 20
_TAG = re.compile(r"[a-z0-9_-]{1,32}")


class UnknownBot(Unknown):
    """No bot or version has this name; the message names similar ones."""


class CurationRepository(Repository):
    """Tags and withdrawals of bots, which hold for all their versions."""

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
    found = session.scalar(select(BotRow).where(BotRow.name == name).with_for_update())
    if found is None:
        raise unknown_bot(session, name)
    return found
