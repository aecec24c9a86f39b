"""Somebody's own bot: its versions, its title, whether it plays, and all that it decided."""

from __future__ import annotations

from flask import Response, abort, flash, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from leaderboard import views
from leaderboard.door.ordering import (
    BadOrder,
    NoPlace,
    TooManyOrders,
    Wanted,
    about_bot,
    orders_about_bot,
)
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.decision_lines import decision_lines
from leaderboard.door.web.fields import row_number
from leaderboard.door.web.opened import opened
from leaderboard.door.web.own import own_bot
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.statuses import status_of
from leaderboard.door.web.visitors import person
from leaderboard.storage.authoring import LONGEST_TITLE
from leaderboard.web.api.failures import as_sentence
from leaderboard.web.pages.site import site, whole_site


@blueprint.get("/mine/bot/<name>")
@needs(Needs.TEAM)
def my_bot(name: str) -> str:
    """A bot as its author manages it."""
    own_bot(person(), name)
    store = site().store
    bot = views.bot(store, name)
    active = bot.versions[0].chosen or bot.versions[0].number
    return render_template(
        "door/my_bot.html",
        bot=bot,
        active=active,
        deletable=whole_site().store.deletable(name),  # also where a curtain hides seasons
        orders=orders_about_bot(opened().door, whole_site().store, name),
        debut=views.debut(store, name, active),
        longest_title=LONGEST_TITLE,
        probation=views.probation(store, name),
    )


@blueprint.post("/mine/bot/<name>")
@needs(Needs.TEAM, "manage")
def order(name: str) -> AnyResponse:
    """Have the arena do something with a bot: it does so between two matches."""
    who, form = person(), request.form
    author = own_bot(who, name)
    number, title = form.get("number", type=row_number), form.get("title", "")
    wanted = Wanted(form.get("what", ""), number, title, sure=form.get("sure") == "yes")
    there = opened()
    try:
        about_bot(there.door, whole_site().store, there.settings.quota, who, name, author, wanted)
    except (BadOrder, NoPlace, TooManyOrders) as error:
        abort(status_of(error), as_sentence(str(error)))
    flash("Ordered: the arena does it between two matches, and says so below.")
    return redirect(url_for("door.my_bot", name=name), 303)


@blueprint.get("/mine/bot/<name>/decisions.jsonl")
@needs(Needs.TEAM)
def my_decisions(name: str) -> Response:
    """Every decision of a bot as a line of JSON, match by match; `season` is "friday/3"."""
    own_bot(person(), name)
    return decision_lines(site().store, name, request.args.get("season", ""))
