"""Orders about seasons and bots, which the arena carries out between two matches."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from leaderboard.door import ordering
from leaderboard.door.ordering import SeasonOrder, Wanted
from leaderboard.door.shapes import of_acts
from leaderboard.door.shapes.of_acts import ActShape, Orders
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.orders import ordered, ordered_about_bot
from leaderboard.door.web.api.reading import Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.own import own_bot
from leaderboard.door.web.tournaments import demand_known
from leaderboard.door.web.visitors import person
from leaderboard.proof.ledger import LONGEST_REASON
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import whole_site

Tag = Annotated[Said, Field(min_length=1)]


class OrderForSeason(Query):
    """Something that is to be done to a tournament's season."""

    what: SeasonOrder
    """What."""
    bot: Said = ""
    """Whom to expel or to admit: a bot, or one of its versions as `bot@2`."""
    place: Said = ""
    """What to annul: a match's key, or the number of a season."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why; only `resume` needs no reason. It stays on the pages that it concerns."""


class OrderAtDesk(Query):
    """Something that is to be done with any bot."""

    what: Literal["tag", "untag", "move", "examine"]
    """What."""
    tags: tuple[Tag, ...] = Field((), max_length=100)
    """The tags to give or to take away."""
    name: Said = ""
    """What a bot that moves is called from now on; empty if it keeps its name."""
    author: Said = ""
    """Whose a bot that moves is from now on; empty if it keeps its author."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why a bot moves."""


@blueprint.get("/desk/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Orders, 401, 403, kept=False), tags=["desk"], security=SECURITY)
def waiting_orders() -> Orders:
    """The first 100 orders that wait, the oldest first."""
    return of_acts.orders(opened().door.orders())


@blueprint.post("/desk/tournaments/<name>/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=OrderForSeason,
    resp=Answers(ActShape, 401, 403, 404, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def order_about_season(name: str) -> Any:
    """Expel or admit a bot, annul a match or a season, pause a tournament or let it go on."""
    demand_known(name)
    said = sent(OrderForSeason)
    return ordered(
        ordering.about_season(
            opened().door, person(), name, said.what, said.bot, said.place, said.reason
        )
    )


@blueprint.post("/desk/bots/<name>/orders")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=OrderAtDesk,
    resp=Answers(ActShape, 401, 403, 404, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def order_at_desk(name: str) -> Any:
    """Give a bot tags or take them away, move it to another name or author, or examine it."""
    door, store, who = opened().door, whole_site().store, person()
    author = own_bot(who, name)
    said = sent(OrderAtDesk)
    if said.what == "examine":
        return ordered_about_bot(who, name, author, Wanted("examine"))
    if said.what == "move":
        return ordered(ordering.move(door, store, who, name, said.name, said.author, said.reason))
    takes = said.what == "untag"
    return ordered(ordering.tags(door, store, who, name, said.tags, takes=takes))
