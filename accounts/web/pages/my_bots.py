"""Somebody's own bot: its versions, its title, whether it plays, and all that it decided."""

from __future__ import annotations

from flask import Response, abort, flash, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from card_arena.accounts import operations
from card_arena.accounts.administration import BotLimitReached, TooManyOperations, operations_on_bot
from card_arena.accounts.operations import BadOperation
from card_arena.accounts.own_matches import decisions, question
from card_arena.accounts.web import fields
from card_arena.accounts.web.access import (
    Needs,
    carry_out_here,
    needs,
    own_bot,
    own_match,
    status_of,
)
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.decision_lines import decision_lines
from card_arena.accounts.web.pages.blueprint import blueprint
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard import bots
from card_arena.leaderboard.bots import debut, faults_of_bot, matches_of_bot
from card_arena.leaderboard.seasons import probation
from card_arena.leaderboard.web.api.failures import as_sentence
from card_arena.leaderboard.web.filters import repro_name
from card_arena.leaderboard.web.pages.site import site, whole_site


@blueprint.get("/mine/bot/<name>")
@needs(Needs.TEAM)
def my_bot(name: str) -> str:
    """A bot as its author manages it."""
    own_bot(person(), name)
    store = site().store
    bot = bots.bot(store, name)
    active = bot.chosen or bot.versions[0].number
    return render_template(
        "accounts/my_bot.html",
        bot=bot,
        matches=bots.results(store, name, size=1).total,
        active=active,
        deletable=whole_site().store.deletable(name),  # whatever seasons a policy hides
        requested=operations_on_bot(accounts_context().accounts, whole_site().store, name),
        debut=debut(store, name, active),
        operations=operations.OPERATIONS,
        probation=probation(store, name),
    )


@blueprint.post("/mine/bot/<name>")
@needs(Needs.TEAM, "manage")
def operate(name: str) -> AnyResponse:
    """Have the arena do something with a bot: it does so between two matches."""
    own_bot(person(), name)
    try:
        operation = operations.named(fields.text("what"), "bot")
        carry_out_here(operation, name, fields.values(operation))
    except (BadOperation, fields.BadField, BotLimitReached, TooManyOperations) as error:
        abort(status_of(error), as_sentence(str(error)))
    flash("Requested: the arena does it between two matches, and says so below.")
    return redirect(url_for("accounts.my_bot", name=name), 303)


@blueprint.get("/mine/challenge/<name>")
@needs(Needs.PERSON)
def challenge(name: str) -> str:
    """Choose which of one's bots challenges this one."""
    who, games = person(), {*whole_site().store.version(name).games}
    own = [
        bot.bot
        for bot in bots.bots(site().store)
        if (who.organises or who.belongs_to(bot.author)) and games.intersection(bot.games)
    ]
    return render_template(
        "accounts/challenge.html",
        name=name,
        own=own,
        operation=operations.OPERATIONS["challenge"],
    )


@blueprint.post("/mine/challenge")
@needs(Needs.PERSON, "manage")
def begin_challenge() -> AnyResponse:
    """Request a challenge of the bot that was chosen."""
    return operate(fields.text("subject"))


@blueprint.get("/mine/bot/<name>/decisions.jsonl")
@needs(Needs.TEAM)
def my_decisions(name: str) -> Response:
    """Every decision of a bot as a line of JSON, match by match; `season` is "friday/3"."""
    own_bot(person(), name)
    return decision_lines(site().store, name, request.args.get("season", ""))


@blueprint.get("/mine/bot/<name>/faults")
@needs(Needs.TEAM)
def my_faults(name: str) -> str:
    """The faults of a bot, of one `kind` and in one `tournament` if these are chosen."""
    own_bot(person(), name)
    kind, tournament, page = request.args.get("kind", ""), *_chosen()
    return render_template(
        "accounts/my_faults.html",
        name=name,
        kind=kind,
        tournament=tournament,
        found=faults_of_bot(site().store, name, kind, tournament, page),
    )


@blueprint.get("/mine/bot/<name>/matches")
@needs(Needs.TEAM)
def my_matches(name: str) -> str:
    """The matches of a bot, in one `tournament` if it is chosen."""
    own_bot(person(), name)
    tournament, page = _chosen()
    results, tournaments = matches_of_bot(site().store, name, tournament, page)
    return render_template(
        "accounts/my_matches.html",
        name=name,
        tournament=tournament,
        results=results,
        tournaments=tournaments,
    )


def _chosen() -> tuple[str, int]:
    return request.args.get("tournament", ""), request.args.get("page", 1, type=int)


# A match as its players' authors see it: every question, answer and verdict of their own bots.
#
# Standard error and the files of questions with it are for them, and for organisers, alone.


DECISIONS = 100
"""How many decisions are on a page."""


@blueprint.get("/mine/match/<path:key>")
@needs(Needs.TEAM)
def my_match(key: str) -> str:
    """Every decision of somebody's own bots in a match, page by page."""
    match, bots = own_match(person(), key)
    game, only_faults = request.args.get("game", 0, type=int), "faults" in request.args
    page = request.args.get("page", 1, type=int)
    found = decisions(
        site().store, match, bots, game, only_faults=only_faults, page=page, size=DECISIONS
    )
    return render_template(
        "accounts/my_match.html",
        match=match,
        bots=bots,
        game=game if game in found.games else 0,
        only_faults=only_faults,
        found=found,
        asked=site().store.review(key),
        review=operations.OPERATIONS["review"],
    )


@blueprint.get("/mine/repro/<path:key>")
@needs(Needs.TEAM)
def my_question(key: str) -> Response:
    """A question to somebody's own bot as a file for `arena repro`, with its standard error."""
    match, bots = own_match(person(), key)
    game, turn = request.args.get("game", 1, type=int), request.args.get("turn", -1, type=int)
    asked = question(site().store, match, bots, game, turn)
    headers = {"Content-Disposition": f'attachment; filename="{repro_name(key, game, turn)}"'}
    return Response(asked.model_dump_json(indent=1) + "\n", 200, headers, "application/json")
