"""The phases of a round of blackjack: a new pack, the moves of the seats, the end of a hand.

Rules are cited from docs/rules/blackjack.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import add
from typing import NamedTuple

from card_arena.tables.blackjack.messages import BlackjackQuestion, HandOver, ShoeGoesOn
from card_arena.tables.blackjack.table import (
    BUY_IN,
    Round,
    Spot,
    State,
    Table,
    affords,
    lettered,
    score,
)
from card_arena.tables.cards import FULL_PACK, RANKS, Card
from card_arena.tables.game import (
    CHANCE,
    IllegalAction,
    MalformedAnswer,
    Mistake,
    Notice,
    Phase,
    Seat,
    Shuffle,
    Terminal,
)
from card_arena.tables.legal_actions import Action, Between, Either, LegalActions, OneOf
from card_arena.tables.tricks import replaced

Next = tuple[Phase | Terminal, Sequence[Notice]]
"""The next phase after an action, and the notices of the action."""

NO_ANSWER = Mistake("blackjack.answer", "is not an answer: expected H, S, D or B and a number")
NOT_NEXT = Mistake("blackjack.next", "is not what a dealer does after a hand: expected next")


class Move(StrEnum):
    """The answers that are one letter."""

    HIT = "H"
    STAND = "S"
    DOUBLE = "D"


@dataclass(frozen=True, slots=True)
class Bet:
    """Raise the stake by this many chips."""

    amount: int


class Deal(StrEnum):
    """What the dealer does after a hand."""

    NEXT = "next"


HIT, STAND, DOUBLE = Move
_PLAYING, _STANDING = State.PLAYING, State.STANDING
_MOVES = {str(move): move for move in Move}
_BET = re.compile(r"B[ \t]+[+-]?(?P<whole>[0-9]{1,15})(?P<fraction>\.[0-9]{0,30})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """The pack is used up: the dealer brings a new one, 52 cards in some order.

    `due` are the places waiting for a card, in order; `last` is the seat that moved last.
    """

    table: Table
    due: tuple[Seat, ...] = ()
    last: Seat = -1

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def dealt(self, order: tuple[Card, ...]) -> Next:
        """Put the new pack on the table and continue dealing."""
        table = self.table._replace(pack=order, drawn=0)
        return _proceed(table, self.due, self.last) if table.round.number else _new_hand(table)


class Playing(NamedTuple):
    """A seat is asked for its next move."""

    table: Table
    to_act: Seat

    def legal_actions(self, seat: Seat) -> LegalActions:
        """Stand or hit; double as the first move; raise by what is left."""
        options = self.table.round.options
        chips, stake, _, _, moves, _ = self.table.spots[seat]
        credit = options.unaffordable_double == "allowed"
        lowest = 0 if options.bet_zero == "nothing" else 1
        return _allowed(not moves and (chips >= stake or credit), lowest, chips)

    def question(self, seat: Seat) -> BlackjackQuestion:
        """The contest's five words."""
        table = self.table
        round = table.round
        chips, stake, cards, _, _, points = table.spots[seat]
        hand = lettered(round.options, "".join([card.rank for card in cards]))
        visible = round.earlier + table.visible(turned=False)
        return BlackjackQuestion(points, hand, visible, stake, chips)

    def read(self, line: str) -> Action:
        """Read `H`, `S`, `D` or `B n`; a bet may have a sign, which is dropped, and a fraction."""
        options, text = self.table.round.options, line
        if options.answers == "lenient":
            text = line.strip(" \t")
            if text.isascii():  # a long s (ſ) would become an S
                text = text.upper()
        if move := _MOVES.get(text):
            return move
        bet = _BET.fullmatch(text)
        if not bet or (bet["fraction"] and options.fractions == "malformed"):
            raise MalformedAnswer(NO_ANSWER, line)
        return Bet(int(bet["whole"]))

    def write(self, action: Action) -> str:
        """Write a move as a bot would."""
        return f"B {action.amount}" if isinstance(action, Bet) else str(action)

    def apply(self, action: Action) -> Next:
        """Carry out a move (rule b.6) and proceed to the next seat or the end of the hand."""
        table, seat = self
        round, spots, pack, drawn, dealer, dealt = table
        chips, stake, cards, state, moves, points = spots[seat]
        if action not in self.legal_actions(seat):
            raise IllegalAction(f"{self.write(action)} is not allowed with {chips} chips")
        due: tuple[Seat, ...] = ()
        if action == STAND:
            state = _STANDING
        elif action == HIT:
            due = (seat,)
        elif action == DOUBLE:
            chips, stake, due, state = chips - stake, 2 * stake, (seat,), _STANDING
        elif isinstance(action, Bet):
            chips, stake = chips - action.amount, stake + action.amount
        moves += 1
        if moves == round.options.move_cap:
            state = _STANDING
        spots = replaced(spots, seat, Spot(chips, stake, cards, state, moves, points))
        return _proceed(Table(round, spots, pack, drawn, dealer, dealt), due, last=seat)


@lru_cache(4096)
def _allowed(may_double: bool, lowest: int, chips: int) -> LegalActions:
    """The moves, and any raises; cached, as they are looked up twice a turn."""
    letters = (Move.STAND, Move.HIT, Move.DOUBLE) if may_double else (Move.STAND, Move.HIT)
    if chips < lowest:
        return OneOf(letters)
    return Either((OneOf(letters), Between(Bet, lowest, chips)))


def legal_words(choice: LegalActions) -> str:
    """The allowed moves as a question with the common prefix lists them: `S,H,D,B:1..190`."""
    if isinstance(choice, Either):
        moves, bets = choice.choices
        return f"{legal_words(moves)},{legal_words(bets)}"
    if isinstance(choice, Between):
        return f"B:{choice.low}..{choice.high}"
    assert isinstance(choice, OneOf)
    return ",".join(map(str, choice.actions))


class _Pause:
    """The dealer has a single action, and then deals the next hand."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        """The dealer."""
        return CHANCE

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """The single action."""
        return OneOf((Deal.NEXT,))

    def question(self, seat: Seat) -> BlackjackQuestion:
        """Nobody is asked between two hands."""
        raise LookupError(f"seat {seat} has nothing to answer between two hands")

    def read(self, line: str) -> Action:
        """Read `next`."""
        if line != Deal.NEXT:
            raise MalformedAnswer(NOT_NEXT, line)
        return Deal.NEXT

    def write(self, action: Action) -> str:
        """Write `next`."""
        return str(action)

    def _check(self, action: Action) -> None:
        if action is not Deal.NEXT:
            raise IllegalAction("between two hands the dealer can only go on to the next")


@dataclass(frozen=True, slots=True)
class GoingOn(_Pause):
    """A round begins with the cards that the previous round at this table left in the shoe."""

    table: Table

    def apply(self, action: Action) -> Next:
        """Announce which cards are gone, and deal the first hand."""
        self._check(action)
        gone = [card.rank for card in set(FULL_PACK).difference(self.table.pack)]
        ranks = "".join(sorted(gone, key=RANKS.index))
        after, notices = _new_hand(self.table)
        return after, (ShoeGoesOn(lettered(self.table.round.options, ranks) or "-"), *notices)


@dataclass(frozen=True, slots=True)
class Settled(_Pause):
    """A hand is over and paid: the dealer's cards lie open until the next one is dealt."""

    table: Table

    def apply(self, action: Action) -> Next:
        """Clear the table and begin the next hand, or end the round."""
        self._check(action)
        table, round = self.table, self.table.round
        if round.options.visible_scope == "round":
            round = round._replace(earlier=round.earlier + table.visible(turned=True))
        return _new_hand(table._replace(round=round))


def _new_hand(table: Table) -> Next:
    """Take the buy-ins and deal (rules b.1 to b.5); the round is over if nobody can pay."""
    round, spots, pack, drawn, *_ = table
    options, brought, hands, won, number, earlier = round
    if options.shoe == "hand" and number:
        pack, drawn = (), 0
    free = options.buy_in_per == "round" and number > 0
    price = 0 if free else BUY_IN
    inside = [
        spot.state is not State.OUT if free else affords(options, spot.chips) for spot in spots
    ]
    if True not in inside or number == options.hands:
        return table.over(), ()
    seats = tuple([seat for seat, is_in in enumerate(inside) if is_in])
    if options.deal_order == "players_first":
        due = (*seats, CHANCE, *seats, CHANCE)
    else:
        due = (CHANCE, CHANCE, *seats, *seats)
    hands = tuple(map(add, hands, inside))
    spots = tuple(
        [
            Spot(spot.chips - price, price) if is_in else Spot(spot.chips, state=State.OUT)
            for spot, is_in in zip(spots, inside, strict=True)
        ]
    )
    round = Round(options, brought, hands, won, number + 1, earlier)
    return _proceed(Table(round, spots, pack, drawn), due, last=-1)


def _proceed(table: Table, due: tuple[Seat, ...], last: Seat) -> Next:
    """Deal the cards that are due, then find the next seat after `last`.

    Turns go round the seats in order until nobody plays (rule b.6), then the dealer plays. If turns
    are whole, the seat `last` continues as long as it plays.
    """
    table, due = table.deal(due)
    if due:
        return Shuffling(table, due, last), ()
    round, spots = table[:2]
    seats, options = len(spots), round.options
    first = last if options.turns == "whole" and last >= 0 else last + 1
    for turn in range(first, first + seats):
        seat = turn % seats
        if spots[seat].state is _PLAYING:
            return Playing(table, seat), ()
    table = table.played_by_dealer()
    if 0 < score(table.dealer) < options.dealer_stands_at:
        return Shuffling(table, (CHANCE,), last), ()
    table = table.settled()
    return Settled(table), (HandOver(round.number, table.visible(turned=True)),)
