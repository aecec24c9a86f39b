"""Orders about a bot that is to be somebody else's, or to be examined again."""

from __future__ import annotations

from functools import partial

from leaderboard.door.entries import Act
from leaderboard.storage.store import Store
from sandbox.bundles.manifest import checked_name
from tournament.authors.admission import examine
from tournament.authors.submission import BOX, Refused, stored_bot, tried
from tournament.orders.base import NotPossible


def move(store: Store, order: Act) -> str:
    """Give a bot the name and the author of the details; what they don't say stays."""
    name, author = order.details.get("name"), order.details.get("author")
    try:
        checked_name(str(name or order.about))
    except ValueError as error:
        raise NotPossible(f"a bot's name {error}") from error
    now = store.moved_to(order.about)
    bot = store.version(now or order.about)
    if now is not None and now not in (name, order.about):
        raise NotPossible(f"{order.about} is called {now} now")
    new_name, new_author = str(name or bot.bot), str(author or bot.author)
    store.move(bot.bot, new_name, new_author, str(order.details.get("reason", "")))
    return f"{order.about} is {new_name} of {new_author} from now on"


def examine_again(store: Store, order: Act) -> str:
    """Examine a bot that is on probation; if it passes, new seasons enter it."""
    version = store.version(order.about)
    trial = tried(stored_bot(store, version), BOX, examine=partial(examine, box=BOX))
    if trial.refusal or trial.waits_for:
        raise Refused(
            f"{version.label} has not passed the examination: {trial.refusal or trial.waits_for}"
        )
    if store.end_probation(version.id):
        return f"{version.label} has passed the examination, and new seasons enter it"
    return f"{version.label} has passed the examination; it was not on probation"
