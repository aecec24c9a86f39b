"""Who a token belongs to, the bots of this person's teams, and what organisers tell them."""

from __future__ import annotations

from typing import Any

from flask import Response
from pydantic import Field
from werkzeug.exceptions import NotFound

from card_arena.accounts.entries import Me, Messages, Tokens
from card_arena.accounts.own_matches import OwnMatch, decisions, question
from card_arena.accounts.web.access import own_bot, own_match
from card_arena.accounts.web.api.blueprint import in_team, signed_in
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.decision_lines import decision_lines
from card_arena.accounts.web.visitors import person, token_of_request
from card_arena.leaderboard import bots
from card_arena.leaderboard.bots import bots as read_bots
from card_arena.leaderboard.models import PageShape, paged
from card_arena.leaderboard.question_file import QuestionFile
from card_arena.leaderboard.web.api.answers import NUMBER, PageQuery, Query, one_page
from card_arena.leaderboard.web.pages.site import site


@signed_in("GET /me", Me)
def me() -> Me:
    """Who the token belongs to, and what it may do."""
    token = token_of_request()
    assert token is not None
    who = person()
    return Me(
        name=who.name,
        role=who.role,
        teams=who.teams,
        token=token.name,
        scope=token.scope,
        expires=token.expires,
    )


@signed_in("GET /me/tokens", Tokens, scope="manage")
def my_tokens() -> Tokens:
    """My valid tokens, without their secrets; they are made on pages alone."""
    return Tokens(items=accounts_context().accounts.tokens(person().id))


@in_team("DELETE /me/tokens/<int(max=999999999):token_id>", Tokens, 404, scope="manage")
def revoke_token(token_id: int) -> Tokens:
    """Revoke a token of mine; the answer is those that are left."""
    who, accounts = person(), accounts_context().accounts
    if not accounts.revoke(who.id, token_id):
        raise NotFound("There is no such token of yours.")
    return Tokens(items=accounts.tokens(who.id))


@signed_in("GET /me/bots", bots.Bots, 404)
def my_bots(query: PageQuery) -> tuple[PageShape, object]:
    """The bots of my teams, each by its newest version."""
    who = person()
    own = [line for line in read_bots(site().store) if who.belongs_to(line.author)]
    found = paged(own, query.page, query.size)
    return one_page(bots.Bots.of(found), query)


@signed_in("GET /me/messages", Messages)
def my_messages() -> Messages:
    """What organisers tell me now, without what I have dismissed."""
    return Messages(items=accounts_context().accounts.messages_for(person()))


@signed_in(
    "POST /me/messages/<int(max=999999999):message_id>/dismiss", Messages, 404, scope="manage"
)
def dismiss_message(message_id: int) -> Messages:
    """Show me a message no more; the answer is what is left."""
    who, accounts = person(), accounts_context().accounts
    accounts.dismiss(who, message_id)
    return Messages(items=accounts.messages_for(who))


class DecisionsQuery(PageQuery):
    """Which decisions of a match."""

    game: int = Field(0, ge=0, le=999_999_999)
    """Only those of the game with this number; 0 for all games."""
    faults: bool = False
    """Only those that were faults."""


class SeasonQuery(Query):
    """Which season."""

    season: str = Field("", max_length=256)
    """Only those of a season, such as `friday/3`, or of a tournament, such as `friday`."""


@in_team("GET /me/matches/<path:key>", OwnMatch, 404, tag="matches")
def my_match(key: str, query: DecisionsQuery) -> Any:
    """What my bots were asked and answered in a match, and what they wrote on standard error."""
    match, bots = own_match(person(), key)
    found = decisions(
        site().store,
        match,
        bots,
        query.game,
        only_faults=query.faults,
        page=query.page,
        size=query.size,
    )
    return one_page(found, query)


@in_team(
    f"GET /me/matches/<path:key>/games/{NUMBER}/questions/<int(max=999999999):turn>",
    QuestionFile,
    404,
    tag="matches",
)
def my_question(key: str, number: int, turn: int) -> Response:
    """A question to my bot as the file that `arena repro` reads, with its standard error."""
    match, bots = own_match(person(), key)
    asked = question(site().store, match, bots, number, turn)
    return Response(asked.model_dump_json(indent=1) + "\n", mimetype="application/json")


@in_team("GET /bots/<name>/decisions", None, 404, tag="bots", media=("application/jsonl",))
def bot_decisions(name: str, query: SeasonQuery) -> Response:
    """Every decision of my bot as a line of JSON, match by match."""
    own_bot(person(), name)
    return decision_lines(site().store, name, query.season)
