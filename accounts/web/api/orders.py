"""Operations by programs, as they are declared, and what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from flask import url_for
from pydantic import Field, create_model

from accounts import operations
from accounts.administration import orders_about_bot
from accounts.entries import Act, Orders
from accounts.operations import LARGEST_NUMBER, MOST_WORDS, Kind, Operation, Parameter
from accounts.web.access import Needs, carry_out_here, needs, own_bot, own_order
from accounts.web.api.blueprint import SECURITY, Said, blueprint, sent
from accounts.web.opened import opened
from accounts.web.tournaments import demand_known
from accounts.web.visitors import person
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import whole_site

LATEST = 50
"""How many orders about a bot are listed."""

Word = Annotated[Said, Field(min_length=1)]

TYPES: Mapping[Kind, tuple[Any, Any, dict[str, Any]]] = {
    "text": (Said, "", {}),
    "reason": (Said, "", {}),
    "version": (int | None, None, {"ge": 1, "le": LARGEST_NUMBER}),
    "words": (tuple[Word, ...], (), {"max_length": MOST_WORDS}),
    "sure": (bool, False, {}),
}
"""The type of each kind of parameter in JSON, its default, and its bounds."""


def request_model(name: str, subject: str) -> type[Query]:
    """The JSON that asks for an operation on a kind of subject, as it is declared."""
    known = operations.about(subject)
    uses: dict[str, list[tuple[Operation, Parameter]]] = defaultdict(list)
    for operation in known:
        for parameter in operation.parameters:
            uses[parameter.name].append((operation, parameter))
    names = cast(Any, Literal)[tuple(each.name for each in known)]
    members = {key: _member(used) for key, used in uses.items()}
    what = (names, Field(description="The operation."))
    about = f"An operation on a {subject}."
    return create_model(name, __base__=Query, __doc__=about, what=what, **members)  # type: ignore[no-any-return,call-overload]


def _member(used: list[tuple[Operation, Parameter]]) -> tuple[Any, Any]:
    """The type of a member of the JSON and its field, which says which operations take it."""
    helps: dict[str, list[str]] = defaultdict(list)
    for operation, parameter in used:
        helps[parameter.help].append(f"`{operation.name}`")
    description = " ".join(f"{', '.join(names)}: {text}" for text, names in helps.items())
    parameter = used[0][1]
    type_, default, bounds = TYPES[parameter.kind]
    if parameter.kind in ("text", "reason"):
        bounds = {"max_length": parameter.most}
    return type_, Field(default, description=description, **bounds)


BotOperation = request_model("BotOperation", "bot")
SeasonOperation = request_model("SeasonOperation", "tournament")


@blueprint.get("/bots/<name>/orders")
@needs(Needs.TEAM)
@api.validate(resp=Answers(Orders, 401, 403, 404, kept=False), tags=["bots"], security=SECURITY)
def bot_orders(name: str) -> Orders:
    """What was ordered about my bot, the newest first, with what became of it."""
    own_bot(person(), name)
    return Orders(items=orders_about_bot(opened().accounts, whole_site().store, name, LATEST))


@blueprint.post("/bots/<name>/orders")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=BotOperation,
    resp=Answers(Act, 401, 403, 404, 409, status=(201,), kept=False),
    skip_validation=True,
    tags=["bots"],
    security=SECURITY,
)
def order_about_bot(name: str) -> Any:
    """Have the arena do something with my bot, between two matches; organisers with any bot."""
    own_bot(person(), name)
    return _ordered("bot", name, sent(BotOperation))


@blueprint.post("/admin/tournaments/<name>/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=SeasonOperation,
    resp=Answers(Act, 401, 403, 404, status=(201,), kept=False),
    skip_validation=True,
    tags=["admin"],
    security=SECURITY,
)
def order_about_season(name: str) -> Any:
    """Expel or admit a bot, annul a match or a season, pause a tournament or let it go on."""
    demand_known(name)
    return _ordered("tournament", name, sent(SeasonOperation))


@blueprint.get("/orders/<int(max=999999999):order_id>")
@needs(Needs.TEAM)
@api.validate(resp=Answers(Act, 401, 403, 404, kept=False), tags=["bots"], security=SECURITY)
def order(order_id: int) -> Act:
    """What became of an order; ask again while it is `waiting`."""
    return own_order(person(), order_id)


@blueprint.get("/admin/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Orders, 401, 403, kept=False), tags=["admin"], security=SECURITY)
def waiting_orders() -> Orders:
    """The first 100 orders that wait, the oldest first."""
    return Orders(items=opened().accounts.orders())


def _ordered(subject: str, name: str, asked: Query) -> Any:
    """Order what a program asks for; the answer says where it is told what became of it."""
    values = asked.model_dump()
    order = carry_out_here(operations.named(values.pop("what"), subject), name, values)
    return order, 201, {"Location": url_for("accounts_api.order", order_id=order.id)}
