"""Ordering something about one's own bot, and asking what became of it."""

from __future__ import annotations

from typing import Any

from flask import url_for
from pydantic import Field

from accounts import ordering
from accounts.entries import Act, Orders, Person
from accounts.ordering import BotOrder, Wanted
from accounts.web.access import Needs, needs, own_bot, own_order
from accounts.web.api.blueprint import SECURITY, Said, blueprint, sent
from accounts.web.opened import opened
from accounts.web.visitors import person
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import whole_site

LATEST = 50
"""How many orders about a bot are listed."""


class OrderForBot(Query):
    """Something that is to be done with one's own bot."""

    what: BotOrder
    """What: `activate` and `delete` take a `number`, `title` a `title`."""
    number: int | None = Field(None, ge=1, le=999_999_999)
    """The version to activate or to delete; without one the whole bot is deleted."""
    title: Said = ""
    """The title to be shown beside the name; empty for none."""
    sure: bool = False
    """True if something is to be deleted: it does not come back."""


@blueprint.get("/bots/<name>/orders")
@needs(Needs.TEAM)
@api.validate(resp=Answers(Orders, 401, 403, 404, kept=False), tags=["bots"], security=SECURITY)
def bot_orders(name: str) -> Orders:
    """What was ordered about my bot, the newest first, with what became of it."""
    own_bot(person(), name)
    found = ordering.orders_about_bot(opened().door, whole_site().store, name, LATEST)
    return Orders(items=found)


@blueprint.post("/bots/<name>/orders")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=OrderForBot,
    resp=Answers(Act, 401, 403, 404, 409, status=(201,), kept=False),
    skip_validation=True,
    tags=["bots"],
    security=SECURITY,
)
def order_about_bot(name: str) -> Any:
    """Have the arena do something with my bot, between two matches."""
    who = person()
    author = own_bot(who, name)
    said = sent(OrderForBot)
    return ordered_about_bot(
        who, name, author, Wanted(said.what, said.number, said.title, said.sure)
    )


@blueprint.get("/orders/<int(max=999999999):order_id>")
@needs(Needs.TEAM)
@api.validate(resp=Answers(Act, 401, 403, 404, kept=False), tags=["bots"], security=SECURITY)
def order(order_id: int) -> Act:
    """What became of an order; ask again while it is `waiting`."""
    return own_order(person(), order_id)


def ordered_about_bot(who: Person, name: str, author: str, wanted: Wanted) -> Any:
    """Order something about a bot; return the answer."""
    there = opened()
    store, usual = whole_site().store, there.settings.quota
    return ordered(ordering.about_bot(there.door, store, usual, who, name, author, wanted))


def ordered(order: Act) -> Any:
    """The answer to an order: what it is, and where it can be asked what became of it."""
    where = url_for("door_api.order", order_id=order.id)
    return order, 201, {"Location": where}
