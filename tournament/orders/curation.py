"""Orders about a bot: withdrawing it, and its tags."""

from __future__ import annotations

from common.errors import UserError
from common.moments import written
from leaderboard import views
from leaderboard.door.entries import Act
from leaderboard.storage.store import Store


class TooMany(UserError):
    """An author would have more bots than the organisers allow; the message says how many."""


def withdraw(store: Store, order: Act) -> str:
    """Keep a bot out of new seasons."""
    return f"{order.about} has been withdrawn since {written(store.withdraw(order.about))}"


def readmit(store: Store, order: Act) -> str:
    """Let a withdrawn bot play again, if its author then has no more than `most` that play."""
    most = order.details.get("most")
    if most is not None:
        bot = store.version(order.about)
        others = views.bots_playing_for(store, bot.author) - {bot.bot}
        if len(others) >= most:
            raise TooMany(f"{bot.author} may have {most} that play: withdraw another one first")
    was_withdrawn = store.readmit(order.about)
    return f"{order.about} {'plays again' if was_withdrawn else 'was not withdrawn'}"


def tag(store: Store, order: Act) -> str:
    """Give a bot the tags of the details."""
    return tagged(order.about, store.tag(order.about, order.details["tags"]))


def untag(store: Store, order: Act) -> str:
    """Take the tags of the details from a bot."""
    return tagged(order.about, store.untag(order.about, order.details["tags"]))


def tagged(bot: str, tags: tuple[str, ...]) -> str:
    return f"{bot} is tagged {', '.join(tags)}" if tags else f"{bot} has no tags"
