"""Blackjack as the 2011 king-of-the-hill contest played it.

One to four bots sit down against the house for a round of five hands dealt from one pack. Every
bot pays ten chips a hand, gets two cards, and may take a card (`H`), stand (`S`), double (`D`) or
raise its stake (`B n`) until it stands. The dealer draws to 17. A bot wins its stake only where
its score is greater than the dealer's: equal scores lose, and who goes over 21 loses whatever the
dealer does. There is no bonus for a natural, no split and no insurance.

The readings of the contest's text that this file takes:

* A bet or a double that can't be carried out is not allowed: the bot stands, as for no answer.
* A seat over 21 loses under `push: return` too; only a real score can be equal to the dealer's.
* With `buy_in_per: round` the ten chips are paid in the first hand of a round and are its stake;
  the other hands begin with a stake of nothing, which a bot may raise.
* With `deal_order: dealer_first` the dealer takes both cards, then the seats get theirs one by one.
* With `visible_scope: round` the cards of earlier hands, all face up, come before this hand's.
* A round ends early where no seat can pay for another hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, Self

from pydantic import Field, model_validator

from tables.cards import FULL_PACK, Card
from tables.choices import Action, Between, Choice, Either, OneOf
from tables.game import (
    DEALER,
    Example,
    Game,
    IllegalAction,
    MalformedAnswer,
    News,
    Over,
    Phase,
    Seat,
    TableOptions,
)
from tables.phases import Shuffle
from tables.scene import Place, Scene, Shown
from tables.wording import fact, quoted, word

BUY_IN = 10
_WORTH = dict.fromkeys("TJQK", 10) | {rank: int(rank) for rank in "23456789"} | {"A": 1}


def score(cards: Sequence[Card]) -> int:
    """The best total of these cards that is not over 21, and 0 where every one is.

    An ace counts 11 where that fits, else 1: `A9A` is 21, `KQ2` is 0.
    """
    total = sum(_WORTH[card.rank] for card in cards)
    if total <= 11 and any(card.rank == "A" for card in cards):
        total += 10
    return total if total <= 21 else 0


class Options(TableOptions):
    """Where the contest's text can be read in more than one way, the table says which it is."""

    start_chips: int = Field(200, ge=0, le=1_000_000, description="chips of every seat at first")
    hands: int = Field(5, ge=1, le=1000, description="hands in a round")
    dealer_stands_at: Literal[17, 18] = Field(17, description="the dealer draws below this score")
    push: Literal["lose", "return"] = Field(
        "lose", description="what becomes of the stake where bot and dealer score the same"
    )
    buy_in_per: Literal["hand", "round"] = Field(
        "hand", description="whether ten chips are paid for every hand or once a round"
    )
    afford: Literal["at_least_10", "over_10", "over_20"] = Field(
        "at_least_10", description="the chips a seat must have to be dealt in"
    )
    visible_scope: Literal["hand", "round"] = Field(
        "hand", description="whether the visible cards start anew with every hand"
    )
    visible_order: Literal["up_first", "hidden_first"] = Field(
        "up_first", description="which of the dealer's two cards is named first"
    )
    deal_order: Literal["players_first", "dealer_first"] = Field(
        "players_first", description="who is dealt to first"
    )
    letters: Literal["upper", "lower"] = Field("upper", description="the letters of cards")
    unaffordable_double: Literal["stand", "allowed"] = Field(
        "stand", description="a D with fewer chips than the stake: not allowed, or on credit"
    )
    bet_zero: Literal["stand", "nothing"] = Field(
        "stand", description="a B 0: not allowed, or no change and the bot is asked again"
    )
    fractions: Literal["truncate", "malformed"] = Field(
        "truncate", description="what B 107.14 means: 107, or no answer at all"
    )
    answers: Literal["lenient", "strict"] = Field(
        "lenient", description="whether small letters and blanks around an answer are accepted"
    )
    move_cap: int = Field(
        100,
        ge=0,
        le=10_000,
        description="answers of a seat in one hand before it stands; 0: no cap",
    )

    @model_validator(mode="after")
    def _comes_to_an_end(self) -> Self:
        if self.bet_zero == "nothing" and not self.move_cap:
            raise ValueError("bet_zero: nothing needs a move_cap, else a bot may answer for ever")
        return self


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


class State(StrEnum):
    """How a seat stands in this hand."""

    OUT = "sits out"
    PLAYING = ""
    STANDING = "stands"
    BUST = "bust"


@dataclass(slots=True)
class BlackjackQuestion:
    """What a bot is asked."""

    score: int = word("number", "the score of your hand, an ace counting 11 where that fits", "11")
    hand: str = word("ranks", "your cards in the order you got them", "65")
    visible: str = word(
        "ranks",
        "all cards dealt in this hand: the dealer's open card, the dealer's hidden card as `#`,"
        " then everybody's in the order they were dealt",
        "9#K675",
    )
    stake: int = word("number", "your stake", "10")
    chips: int = word("number", "the chips that you have left beside the stake", "190")


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand has ended and the dealer's hidden card was turned over."""

    number: int = fact("the hand's number in the round, from 1", "1")
    cards: str = fact(
        "all cards of the hand, in the order of the question's visible cards", "9AK675T"
    )

    def __str__(self) -> str:
        return f"hand {self.number} {self.cards}"


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies on the table, the face-down cards and the rest of the pack included.

    One entry a seat in `chips`, `stakes`, `cards`, `states`, `moves` (answers in this hand),
    `hands` and `won`. `dealt` is every card of this hand in the order it was dealt but the
    dealer's first two; `earlier` the cards of earlier hands for `visible_scope: round`. `due` are
    the places that wait for a card, in order. `pack` is the shuffled pack and `drawn` how many of
    its cards are gone.
    """

    options: Options
    brought: tuple[int, ...]
    chips: tuple[int, ...]
    stakes: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]
    states: tuple[State, ...]
    moves: tuple[int, ...]
    hands: tuple[int, ...]
    won: tuple[int, ...]
    number: int = 0
    dealer: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()
    earlier: str = ""
    due: tuple[Seat, ...] = ()
    pack: tuple[Card, ...] = ()
    drawn: int = 0

    def visible(self, *, turned: bool) -> str:
        """Name the cards of this hand as everybody sees them, the hidden one turned over or not."""
        up, hidden = str(self.dealer[0].rank), self.dealer[1].rank if turned else "#"
        if self.options.visible_order == "hidden_first":
            up, hidden = hidden, up
        text = up + hidden + _ranks(self.dealt)
        return text if self.options.letters == "upper" else text.lower()


def _ranks(cards: Sequence[Card]) -> str:
    return "".join(card.rank for card in cards)


def _with(values: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + change, *values[seat + 1 :])


def _affords(options: Options, chips: int) -> bool:
    return {
        "at_least_10": chips >= BUY_IN,
        "over_10": chips > 10,
        "over_20": chips > 20,
    }[options.afford]


def _new_hand(table: Table) -> Phase | Over:
    """Take the buy-ins and deal (rule b.1 to b.5); the round is over where nobody can pay."""
    options, first = table.options, table.number == 0
    free = options.buy_in_per == "round" and not first
    inside = tuple(
        state is not State.OUT if free else _affords(options, chips)
        for state, chips in zip(table.states, table.chips, strict=True)
    )
    if not any(inside) or table.number == options.hands:
        return _over(table)
    price = 0 if free else BUY_IN
    seats = tuple(seat for seat, is_in in enumerate(inside) if is_in)
    if options.deal_order == "players_first":
        due = (*seats, DEALER, *seats, DEALER)
    else:
        due = (DEALER, DEALER, *seats, *seats)
    return _proceed(
        replace(
            table,
            number=table.number + 1,
            chips=tuple(c - price * i for c, i in zip(table.chips, inside, strict=True)),
            stakes=tuple(price * i for i in inside),
            cards=((),) * len(inside),
            states=tuple(State.PLAYING if i else State.OUT for i in inside),
            moves=(0,) * len(inside),
            hands=tuple(h + i for h, i in zip(table.hands, inside, strict=True)),
            dealer=(),
            dealt=(),
            due=due,
        ),
        last=-1,
    )


def _proceed(table: Table, last: Seat) -> Phase:
    """Hand out the cards that are due, then find who is next after the seat `last`.

    Passes go round the seats in order until nobody plays (rule b.6), then the dealer plays.
    """
    table, complete = _deal_due(table)
    if not complete:
        return Shuffling(table, last)
    seats = len(table.states)
    for step in range(1, seats + 1):
        seat = (last + step) % seats
        if table.states[seat] is State.PLAYING:
            return Playing(table, seat)
    while 0 < score(table.dealer) < table.options.dealer_stands_at:
        table, complete = _deal_due(replace(table, due=(DEALER,)))
        if not complete:
            return Shuffling(table, last)
    return Settled(_settle(table))


def _deal_due(table: Table) -> tuple[Table, bool]:
    """Deal until nobody waits for a card (True) or the pack is used up (False)."""
    if not table.due:
        return table, True
    ready = table.due[: len(table.pack) - table.drawn]
    cards, states = list(table.cards), list(table.states)
    dealer, dealt = list(table.dealer), list(table.dealt)
    for seat, card in zip(ready, table.pack[table.drawn :], strict=False):
        if seat != DEALER:
            cards[seat] += (card,)
            dealt.append(card)
            if not score(cards[seat]):
                states[seat] = State.BUST
            continue
        if len(dealer) >= 2:
            dealt.append(card)
        dealer.append(card)
    table = replace(
        table,
        cards=tuple(cards),
        states=tuple(states),
        dealer=tuple(dealer),
        dealt=tuple(dealt),
        due=table.due[len(ready) :],
        drawn=table.drawn + len(ready),
    )
    return table, not table.due


def _settle(table: Table) -> Table:
    """Pay the winners (rule b.8): twice the stake for a score above the dealer's."""
    chips, won = list(table.chips), list(table.won)
    house = score(table.dealer)
    for seat, state in enumerate(table.states):
        if state is State.STANDING:
            own = score(table.cards[seat])
            if own > house:
                chips[seat] += 2 * table.stakes[seat]
                won[seat] += 1
            elif own == house and table.options.push == "return":
                chips[seat] += table.stakes[seat]
    return replace(table, chips=tuple(chips), won=tuple(won))


def _over(table: Table) -> Over:
    return Over(
        scores=tuple(now - then for now, then in zip(table.chips, table.brought, strict=True)),
        hands=table.hands,
        won=table.won,
        purses=table.chips,
    )


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """The pack is used up: the dealer brings a new one, 52 cards in some order."""

    table: Table
    last: Seat

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Put the new pack on the table and go on dealing."""
        table = replace(self.table, pack=order, drawn=0)
        if not table.number:
            return _new_hand(table), ()
        return _with_news(_proceed(table, self.last))


@dataclass(frozen=True, slots=True)
class Playing:
    """A seat is asked for its next move."""

    table: Table
    seat: Seat

    @property
    def to_act(self) -> Seat:
        """The seat whose turn it is in this pass."""
        return self.seat

    def legal_actions(self, seat: Seat) -> Choice:
        """Stand or hit; double as the first move; raise by what is left."""
        table, options = self.table, self.table.options
        chips, stake = table.chips[seat], table.stakes[seat]
        moves = [Move.STAND, Move.HIT]
        credit = options.unaffordable_double == "allowed"
        if not table.moves[seat] and (chips >= stake or credit):
            moves.append(Move.DOUBLE)
        lowest = 0 if options.bet_zero == "nothing" else 1
        if chips < lowest:
            return OneOf(tuple(moves))
        return Either((OneOf(tuple(moves)), Between(Bet, lowest, chips)))

    def question(self, seat: Seat) -> BlackjackQuestion:
        """The contest's five words."""
        table = self.table
        hand = _ranks(table.cards[seat])
        return BlackjackQuestion(
            score=score(table.cards[seat]),
            hand=hand if table.options.letters == "upper" else hand.lower(),
            visible=table.earlier + table.visible(turned=False),
            stake=table.stakes[seat],
            chips=table.chips[seat],
        )

    def read(self, line: str) -> Action:
        """Read `H`, `S`, `D` or `B n`; a bet may have a sign, which is dropped, and a fraction."""
        options = self.table.options
        text = line.strip(" \t") if options.answers == "lenient" else line
        if options.answers == "lenient" and text.isascii():  # a long s would become an S
            text = text.upper()
        if text in ("H", "S", "D"):
            return Move(text)
        bet = _BET.fullmatch(text)
        if not bet or (bet["fraction"] and options.fractions == "malformed"):
            raise MalformedAnswer(
                f"'{quoted(line)}' is not an answer: expected H, S, D or B and a number"
            )
        return Bet(int(bet["whole"]))

    def write(self, action: Action) -> str:
        """Write a move as a bot would."""
        return f"B {action.amount}" if isinstance(action, Bet) else str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Carry out a move (rule b.6) and go on to the next seat or the end of the hand."""
        table, seat = self.table, self.seat
        if action not in self.legal_actions(seat):
            raise IllegalAction(
                f"{self.write(action)} is not allowed with {table.chips[seat]} chips"
            )
        states = list(table.states)
        chips, stakes, due = table.chips, table.stakes, table.due
        moves = _with(table.moves, seat, 1)
        match action:
            case Bet(amount):
                chips, stakes = _with(chips, seat, -amount), _with(stakes, seat, amount)
            case Move.HIT:
                due = (seat,)
            case Move.DOUBLE:
                chips, stakes = _with(chips, seat, -stakes[seat]), _with(stakes, seat, stakes[seat])
                due = (seat,)
        if action in (Move.STAND, Move.DOUBLE) or moves[seat] == table.options.move_cap:
            states[seat] = State.STANDING
        table = replace(
            table, chips=chips, stakes=stakes, states=tuple(states), moves=moves, due=due
        )
        return _with_news(_proceed(table, seat))


@dataclass(frozen=True, slots=True)
class Settled:
    """A hand is over and paid: the dealer's cards lie open until the next one is dealt."""

    table: Table

    @property
    def to_act(self) -> Seat:
        """The dealer."""
        return DEALER

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """There is one thing to do."""
        return OneOf((Deal.NEXT,))

    def question(self, seat: Seat) -> BlackjackQuestion:
        """Nobody is asked between two hands."""
        raise LookupError(f"seat {seat} has nothing to answer between two hands")

    def read(self, line: str) -> Action:
        """Read `next`."""
        if line != Deal.NEXT:
            raise MalformedAnswer(
                f"'{quoted(line)}' is not what a dealer does after a hand: expected next"
            )
        return Deal.NEXT

    def write(self, action: Action) -> str:
        """Write `next`."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Clear the table and begin the next hand, or end the round."""
        if action is not Deal.NEXT:
            raise IllegalAction("after a hand the dealer can only go on to the next")
        table = self.table
        if table.options.visible_scope == "round":
            table = replace(table, earlier=table.earlier + table.visible(turned=True))
        return _new_hand(table), ()


def _with_news(phase: Phase) -> tuple[Phase, Sequence[News]]:
    """The news of a hand that has just been settled; nothing else is told."""
    if not isinstance(phase, Settled):
        return phase, ()
    table = phase.table
    return phase, (HandOver(table.number, table.visible(turned=True)),)


_BET = re.compile(r"B[ \t]+[+-]?(?P<whole>[0-9]{1,15})(?P<fraction>\.[0-9]{0,30})?", re.ASCII)


class Blackjack(Game):
    """Beat the dealer, and take more chips from the house than the other bots."""

    name = "blackjack"
    title = "Blackjack"
    version = 1
    seats = range(1, 5)
    carries = True
    options = Options
    presets = MappingProxyType(
        {
            "contest": Options(),
            "cardshark": Options(
                deal_order="dealer_first",
                letters="lower",
                unaffordable_double="allowed",
                bet_zero="nothing",
                visible_scope="round",
            ),
        }
    )
    sample = ("21", "KJA", "KQKJA3592A", "25", "145")
    questions = (BlackjackQuestion,)
    news = (HandOver,)
    answers = MappingProxyType(
        {
            "H": "hit: take one more card; over 21 you are bust and lose your stake",
            "S": "stand: take no more cards in this hand",
            "D": "double, as your first answer in a hand only (two cards, a stake of ten): pay your"
            " stake again, take one card and stand; needs as many chips as the stake",
            "B n": "bet: raise your stake by n chips, from 1 to all you have left; you are asked"
            " again. A sign is dropped and so is a fraction: `B 107.142857` is `B 107`",
        }
    )

    example = Example(
        options=Options(hands=1),
        seats=2,
        cards="KC,6D,9H,7S,5H,AD,TC",
        answers=("S", "D"),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a round of `options.hands` hands."""
        self.check_table(options, seats, purses)
        chips = tuple(purses) or (options.start_chips,) * seats
        nothing = (0,) * seats
        table = Table(
            options=options,
            brought=chips,
            chips=chips,
            stakes=nothing,
            cards=((),) * seats,
            states=(State.PLAYING,) * seats,
            moves=nothing,
            hands=nothing,
            won=nothing,
        )
        return Shuffling(table, last=-1)

    def can_sit(self, options: Options, purse: int | None) -> bool:
        """Say whether a bot can still pay for a hand."""
        return _affords(options, options.start_chips if purse is None else purse)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the dealer's hand on top and the seats below."""
        if isinstance(phase, Over):
            return Scene(
                "the end",
                tuple(
                    Place(seat, facts=(("chips", str(purse)), ("hands won", f"{won} of {hands}")))
                    for seat, (purse, won, hands) in enumerate(
                        zip(phase.purses, phase.won, phase.hands, strict=True)
                    )
                ),
            )
        assert isinstance(phase, Shuffling | Playing | Settled)
        table, turned = phase.table, isinstance(phase, Settled)
        house = Place(
            DEALER,
            tuple(Shown(c, face_down=i == 1 and not turned) for i, c in enumerate(table.dealer)),
            (("score", str(score(table.dealer))),) if turned else (),
            "bust" if turned and not score(table.dealer) else "",
        )
        seats = tuple(
            Place(
                seat,
                tuple(map(Shown, table.cards[seat])),
                (
                    ("score", str(score(table.cards[seat]))),
                    ("stake", str(table.stakes[seat])),
                    ("chips", str(table.chips[seat])),
                ),
                _standing(table, seat, turned),
                to_act=seat == phase.to_act,
            )
            for seat in range(len(table.chips))
        )
        title = (
            f"hand {table.number} of {table.options.hands}" if table.number else "the first deal"
        )
        return Scene(title, (house, *seats))


def _standing(table: Table, seat: Seat, turned: bool) -> str:
    """Put in a word how a seat stands, at the end of a hand whether it won."""
    state = table.states[seat]
    if not turned or state is not State.STANDING:
        return str(state)
    own, house = score(table.cards[seat]), score(table.dealer)
    if own == house and table.options.push == "return":
        return "push"
    return "won" if own > house else "lost"
