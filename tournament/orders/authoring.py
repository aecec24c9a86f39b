"""Orders of a bot's author: the version that plays, the title, and deletions."""

from __future__ import annotations

from contextlib import suppress

from leaderboard.door.entries import Act
from leaderboard.storage.store import Store, UnknownBot


def activate(store: Store, order: Act) -> str:
    """Have new seasons enter the version `number`, the newest without one."""
    return f"new seasons enter {order.about} v{store.choose(order.about, order.details['number'])}"


def title(store: Store, order: Act) -> str:
    """Give a bot the `title` of the details, or none."""
    given = store.give_title(order.about, order.details["title"])
    return f"{order.about} {f'is shown with the title {given}' if given else 'has no title'}"


def delete(store: Store, order: Act) -> str:
    """Delete the version `number`, or without one the whole bot.

    What is no longer there has been deleted, by this order or another one.
    """
    name, number = order.about, order.details["number"]
    with suppress(UnknownBot):
        if number is None:
            store.delete_bot(name)
        else:
            store.delete_version(name, number)
    return f"{name} is deleted" if number is None else f"{name} v{number} is deleted"
