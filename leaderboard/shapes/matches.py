"""Matches, for programs: their entrants, their games, and every question with its answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from common.faults import Fault
from leaderboard.matches import MatchLine, MatchPage, SeatLine
from leaderboard.paging import Page
from leaderboard.shapes.base import PageShape, Shape, Text
from tables.game import DEALER
from tables.record import Turn


class Entrant(Shape):
    """An entrant of a match, with its totals over all its chairs and games."""

    bot: Text
    """The bot's name."""
    version: int
    """The number of its version."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    side: int
    """The side that it plays for; entrants of one side are partners."""
    rank: int
    """Its place, 1 the best."""
    score: int
    """Its score."""
    purse: int | None
    """The chips that it held afterwards; null where none are carried on."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it failed too often and was not asked any more."""
    slowest: int
    """Its longest answer, in microseconds."""


class Match(Shape):
    """A match in a list."""

    key: str
    """Its address, which names it everywhere."""
    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    leg: int
    """The number of its leg."""
    round: int
    """The number of its round."""
    labels: tuple[Text, ...]
    """What its place in the season is called: leg, round and table."""
    stored: datetime
    """When it was stored."""
    seconds: float
    """How long it took."""
    entrants: tuple[Entrant, ...]
    """Its entrants, in the order of their first chairs."""


class Matches(PageShape):
    """Matches of a season."""

    items: tuple[Match, ...]
    """The matches of this page."""


class GameLine(Shape):
    """A game of a match."""

    number: int
    """Its number in the match, from 1."""
    board: int
    """The number of its board, from 1; games of one board were dealt the same packs."""
    seating: tuple[int, ...]
    """Who sat in each seat: places in the match's list of entrants, from 0."""
    scores: tuple[int, ...]
    """The scores, seat by seat."""
    struck_out: tuple[int, ...]
    """The seats that were struck out."""
    turns: int
    """How many turns it has, with those of the dealer."""
    faults: int
    """How many answers were faults."""


class MatchDetail(Match):
    """A match and its games."""

    rated: bool
    """Whether it counts for ratings."""
    annulled: Text | None
    """Why it counts for nothing; null if it counts."""
    games: tuple[GameLine, ...]
    """Its games; each one's turns have an address of their own."""


class TurnFault(Shape):
    """A bot's failure."""

    kind: Fault
    """The kind of fault."""
    detail: Text
    """What happened, in a sentence."""
    struck: bool
    """Whether it counted as a strike."""


class TurnShape(Shape):
    """One turn of a game: what was asked, what came back, and what was played."""

    number: int
    """Its number in the game, from 0."""
    seat: int | None
    """Whose turn it was; null for the dealer's."""
    action: Text
    """What was played."""
    question: Text
    """The words that the bot was asked; empty where nobody was asked."""
    answer: Text | None
    """The line that came back; null if none did."""
    wall: int
    """How long the answer took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its box was seen to use, in bytes; 0 if it was not measured."""
    fault: TurnFault | None
    """Why the action is not the bot's own; null if it is."""


class GameDetail(GameLine):
    """A game of a match, turn by turn."""

    match: str
    """The match's address."""
    game: str
    """The game that was played."""
    rules: int
    """The version of its rules."""
    options: Mapping[str, Any]
    """The table's options."""
    purses: tuple[int, ...]
    """The chips that the seats brought along; empty if all began alike."""
    shoe: tuple[str, ...]
    """The cards left over from the game before, with which it went on."""
    prefixed: tuple[int, ...]
    """The seats that were asked with the common prefix where questions usually have none."""
    played: tuple[TurnShape, ...]
    """Every turn, in order."""


def entrant(seat: SeatLine) -> Entrant:
    """An entrant of a match; programs count places from 1, as people do."""
    found = {name: getattr(seat, name) for name in Entrant.model_fields}
    return Entrant(**{**found, "rank": seat.rank + 1})


def match(line: MatchLine) -> Match:
    """A match in a list."""
    return Match(**_facts(line))


def matches(page: Page[MatchLine]) -> Matches:
    items = tuple(map(match, page.items))
    return Matches.of(page, items=items)


def match_detail(page: MatchPage, annulled: str | None) -> MatchDetail:
    """A match and its games; `annulled` is why it counts for nothing, None if it counts."""
    games = tuple(GameLine(**_game(page, number)) for number in range(len(page.records)))
    return MatchDetail(**_facts(page), rated=page.rated, annulled=annulled, games=games)


def game_detail(page: MatchPage, number: int) -> GameDetail:
    """A game of a match, counted from 0, turn by turn."""
    record = page.records[number]
    return GameDetail(
        **_game(page, number),
        match=page.key,
        game=record.game,
        rules=record.version,
        options=record.options,
        purses=record.purses,
        shoe=record.shoe,
        prefixed=record.prefixed,
        played=tuple(_turn(at, turn) for at, turn in enumerate(record.turns)),
    )


def _facts(found: MatchLine | MatchPage) -> dict[str, Any]:
    names = [name for name in Match.model_fields if name != "entrants"]
    facts = {name: getattr(found, name) for name in names}
    return {**facts, "entrants": tuple(map(entrant, found.seats))}


def _game(page: MatchPage, number: int) -> dict[str, Any]:
    record = page.records[number]
    return {
        "number": number + 1,
        "board": page.boards[number] + 1,
        "seating": page.seatings[number],
        "scores": record.over.scores,
        "struck_out": record.struck_out,
        "turns": len(record.turns),
        "faults": len(record.faults),
    }


def _turn(number: int, turn: Turn) -> TurnShape:
    return TurnShape(
        number=number,
        seat=None if turn.seat == DEALER else turn.seat,
        action=turn.action,
        question=turn.question,
        answer=turn.answer,
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
        fault=TurnFault.model_validate(turn.fault) if turn.fault else None,
    )
