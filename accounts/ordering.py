"""What people may order of the program that plays: said right, and not too much of it.

Whoever asks may do it: that is for the pages and the API to find out. Whether it can be done is
found out when it is carried out, between two matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias, cast, get_args

from accounts.entries import Act, Person, Quota
from accounts.storage.door import Door
from common.errors import UserError
from leaderboard import views
from results.bots import LONGEST_TITLE, UnknownBot
from results.errors import checked_reason
from results.store import Store

BotOrder: TypeAlias = Literal["withdraw", "readmit", "activate", "title", "delete", "examine"]
"""What a bot's author may order about it."""

SeasonOrder: TypeAlias = Literal["expel", "admit", "annul", "pause", "resume"]
"""What an organiser may order about a tournament's season."""

ABOUT_BOTS = (*get_args(BotOrder), "tag", "untag", "move", "expel", "admit")
"""The kinds of orders that are about a bot, and are told to its author."""

MOST_WAITING = 20
"""How many orders about one bot may wait."""

MOST_EXAMINATIONS = 5
"""How often authors may have a bot examined in 24 hours: each keeps the arena from playing."""


class BadOrder(UserError):
    """Nothing can be ordered so; the message says what was expected."""


class TooManyOrders(UserError):
    """Too much was ordered already; the message says how much."""


class KeptOut(UserError):
    """An organiser has withdrawn a bot, and its author can't let it in again."""


class NoPlace(UserError):
    """A bot can't play again beside all the others that do; the message says how many may."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants done with a bot.

    `number` is the version to activate or to delete, without which the whole bot is deleted; who
    deletes has to be `sure`.
    """

    what: str
    number: int | None = None
    title: str = ""
    sure: bool = False


def about_bot(
    door: Door, store: Store, usual: Quota, who: Person, bot: str, author: str, wanted: Wanted
) -> Act:
    """Order something about the bot of an author, who may hand in the `usual` quota elsewhere.

    Raises `BadOrder`, `TooManyOrders`, and of a bot that is to play again `KeptOut` and `NoPlace`.
    """
    details = {**_details(wanted), "author": author}
    if wanted.what == "readmit" and not who.organises:
        details["most"] = _demand_place(door, store, usual, who, bot, author)
    told = orders_about_bot(door, store, bot, MOST_WAITING)
    if sum(each.state == "waiting" for each in told) == MOST_WAITING:
        raise TooManyOrders(f"{MOST_WAITING} orders about {bot} wait: the arena has to do them")
    if wanted.what == "examine" and not who.organises:
        since = datetime.now(UTC) - timedelta(days=1)
        if door.ordered("examine", bot, since) >= MOST_EXAMINATIONS:
            raise TooManyOrders(
                f"{bot} was to be examined {MOST_EXAMINATIONS} times in 24 hours: hand in a mended"
                " version, or wait"
            )
    return door.order(who.id, wanted.what, bot, **details)


def orders_about_bot(door: Door, store: Store, bot: str, most: int = 5) -> Sequence[Act]:
    """What was ordered about a bot since it was handed in, the newest first."""
    return door.orders_about(bot, most, whats=ABOUT_BOTS, since=handed_in(store, bot))


def handed_in(store: Store, bot: str) -> datetime:
    """When the first version of a bot was handed in; raises `UnknownBot`."""
    return min(each.submitted for each in views.bot(store, bot).versions)


def about_season(
    door: Door,
    who: Person,
    tournament: str,
    what: str,
    bot: str = "",
    place: str = "",
    reason: str = "",
) -> Act:
    """Order something about a tournament's season; raises `BadOrder` and `BadReason`.

    `bot` is whom to expel or admit, `place` what to annul: a match's key, or a season's number.
    Only `resume` needs no reason.
    """
    details: dict[str, Any] = {"tournament": tournament, "reason": reason}
    about = tournament
    if what not in get_args(SeasonOrder):
        raise BadOrder("choose what is to be done")
    if what in ("expel", "admit"):
        if not bot:
            raise BadOrder("name the bot")
        about = bot
    elif what == "annul":
        if place.isascii() and place.isdecimal() and len(place) < 10:
            details["season"] = int(place)
        elif place.startswith(f"{tournament}/"):
            about = details["key"] = place
        elif place:
            raise BadOrder(
                f"the match must be one of {tournament}, such as {tournament}/0001/t01/r1/a"
            )
        else:
            raise BadOrder("name the match or the season")
    if reason or what != "resume":
        details["reason"] = checked_reason(reason)
    return door.order(who.id, what, about, **details)


def tags(
    door: Door, store: Store, who: Person, bot: str, wanted: Sequence[str], *, takes: bool = False
) -> Act:
    """Order tags for a bot, or that some are taken from it; raises `BadOrder` and `UnknownBot`."""
    _demand_known(store, bot)
    if not wanted:
        raise BadOrder("name at least one tag")
    return door.order(who.id, "untag" if takes else "tag", bot, tags=[*wanted])


def move(
    door: Door, store: Store, who: Person, bot: str, name: str, author: str, reason: str
) -> Act:
    """Order another name or author for a bot, an empty one being kept.

    Raises `BadOrder`, `BadReason` and `UnknownBot`.
    """
    reason = checked_reason(reason)
    _demand_known(store, bot)
    changes = {key: value for key, value in (("name", name), ("author", author)) if value}
    if not changes:
        raise BadOrder("say what changes: its name, its author or both")
    return door.order(who.id, "move", bot, **changes, reason=reason)


def _demand_place(
    door: Door, store: Store, usual: Quota, who: Person, bot: str, author: str
) -> int | None:
    """How many bots an author may have, None for any number; raises `KeptOut` and `NoPlace`.

    Who has withdrawn one bot to hand another in does not get both back.
    """
    if door.is_kept_out({bot, *(move.name for move in store.moves(bot))}):
        raise KeptOut("an organiser has withdrawn this bot: ask them to let it play again")
    team = next(team for team in who.teams if team.author == author)
    quota = door.quota(team.id, usual)
    playing = views.bots_playing_for(store, author) - {bot}
    own = door.bots_beside(bot, views.versions_of_author(store, author)) & playing
    for whose, bots, most in (
        ("your team has", playing, quota.bots),
        ("whoever handed it in has", own, quota.bots_a_person),
    ):
        if most is not None and len(bots) >= most:
            raise NoPlace(f"{whose} {len(bots)} that play, and may have {most}: withdraw another")
    return quota.bots


def _details(wanted: Wanted) -> dict[str, Any]:
    """The details of an order; raises `BadOrder`."""
    match cast(BotOrder, wanted.what):
        case "withdraw" | "readmit" | "examine":
            return {}
        case "title":
            return {"title": wanted.title[: 2 * LONGEST_TITLE]}
        case "activate" if wanted.number is not None:
            return {"number": wanted.number}
        case "activate":
            raise BadOrder("say which version is to play, by its number")
        case "delete" if not wanted.sure:
            raise BadOrder("say that you are sure: what is deleted does not come back")
        case "delete":
            return {"number": wanted.number}
    raise BadOrder("choose what is to be done with the bot")


def _demand_known(store: Store, bot: str) -> None:
    if bot not in {line.bot for line in views.bots(store)}:
        raise UnknownBot("no bot has this name")
