"""Partnership spades, as the paper *Bidding in Spades* plays it.

Seats 0 and 2 play against 1 and 3. Everybody gets 13 cards and bids once how many tricks she will
take, from the dealer's left round the table; 0 is nil, a bet that she takes none. Then 13 tricks
are played: suit must be followed, spades are always trump, and nobody leads a spade before one has
been played unless she holds nothing else. A side that takes the tricks it has bid scores ten for
each and one for every trick more, a bag; ten bags cost it 110 points. The higher score wins as
soon as a side has reached the goal or fallen too low.

The readings of the rules that this file takes:

* The ten bags of a penalty take their ten points with them (`bag_penalty: 110`), as in the paper's
  example, 288 + 63 -> 241. Bags are counted for themselves and never read from the score.
* A failed nil's tricks that may help the contract are bags where the contract is full without
  them, so that `contract` and `both` (OpenSpiel's rule) come to the same.
* Under `blind_nil` the cards lie face down until everybody who may bid blind nil has said whether
  she does. `behind100` looks at the scores before the round.
* Cards are exchanged after the bidding: a blind nil bidder gives two to her partner, who sees them
  and gives two of her fifteen back. Where both partners bid blind nil, nobody exchanges.
* With `first_lead: two_of_clubs` whoever holds that card after the exchange leads it.
* With `first_dealer: drawn` four cards are turned over, one a seat from seat 0 on, and the highest
  deals; of equal ranks the one whose suit is higher (clubs, diamonds, hearts, spades).
* The goal is checked after every round; equal scores play another one, but not after `max_rounds`.
* A side wins a round by scoring more in it than the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from tables.cards import FULL_PACK, RANKS, SUITS, Card, card, cards, listed
from tables.choices import Action, Choice, OneOf
from tables.game import (
    Example,
    Game,
    HandOptions,
    IllegalAction,
    MalformedAnswer,
    News,
    Over,
    Phase,
    Seat,
)
from tables.phases import Shuffle
from tables.scene import Place, Scene, Shown
from tables.tricks import of_suit, replaced, trick_text, without
from tables.wording import quoted, word

SEATS = range(4)
TRICKS = 13
TRUMP = "S"
NIL = 0


class Options(HandOptions):
    """Where the rules of spades can be read in more than one way, the table says which it is."""

    goal: int = Field(500, ge=1, le=10_000, description="the score that ends the game")
    goal_test: Literal["reached", "exceeded"] = Field(
        "reached", description="whether the goal must be reached or exceeded"
    )
    lose: int = Field(
        -100, ge=-10_000, le=0, description="a side that falls to this score loses; 0: no limit"
    )
    max_rounds: int = Field(
        200, ge=0, le=10_000, description="rounds until the higher score wins; 0: no limit"
    )
    bag_penalty: Literal[110, 100] = Field(
        110, description="what ten bags cost: 100 points, or their own ten points as well"
    )
    failed_nil_tricks: Literal["bags", "contract", "both"] = Field(
        "bags",
        description="the tricks of a failed nil bidder: only bags, or they help her partner's"
        " contract and are bags beyond it (`both` is OpenSpiel's word for the same)",
    )
    bid_cap: Literal["none", "side"] = Field(
        "none", description="whether the bids of a side may come to more than 13"
    )
    double_nil: bool = Field(True, description="whether both partners may bid nil")
    blind_nil: Literal["off", "behind100", "any"] = Field(
        "off", description="who may bid nil before seeing her cards, for twice the points"
    )
    blind_exchange: Literal[0, 2] = Field(
        0, description="cards that a blind nil bidder exchanges with her partner"
    )
    first_dealer: Literal["seat_0", "drawn"] = Field(
        "seat_0", description="who deals first: seat 0, or who draws the highest card"
    )
    first_lead: Literal["dealers_left", "two_of_clubs"] = Field(
        "dealers_left", description="who leads to the first trick: the holder of 2C leads that card"
    )

    @model_validator(mode="after")
    def _exchange_needs_a_blind_nil(self) -> Self:
        if self.blind_exchange and self.blind_nil == "off":
            raise ValueError("blind_exchange: 2 needs a blind_nil, else nobody ever exchanges")
        return self


class Blind(StrEnum):
    """What is said before the cards are seen."""

    LOOK = "-"
    NIL = "BN"


Hands = tuple[tuple[Card, ...], ...]
Bids = tuple[int | None, ...]
_NO_CARDS: Hands = ((),) * 4
_NO_BIDS: Bids = (None,) * 4


@dataclass(frozen=True, slots=True)
class SpadesQuestion:
    """What a bot is asked, in every phase."""

    game: str = word("the game", "spades")
    phase: str = word(
        "what is wanted: `blind`, `bid`, `pass` (a card to your partner), `play`", "play"
    )
    legal: str = word("every answer allowed now; for bids a range such as `0..13`", "KH,2H")
    seat: int = word("your seat; your partner sits two seats on", "2")
    dealer: int = word("the dealer's seat; the next one bids first and leads first", "3")
    hand: str = word("your cards; `-` before you have seen them", "AS,KH,2H,9C")
    bids: str = word("the bids by seat: `-` where none yet, `B` for a blind nil", "3,0,4,B")
    history: str = word(
        "the finished tricks, each the seat that led and the cards as they were played",
        "0:7C,AC,2C,5C/1:KD,4D,3D,9D",
    )
    trick: str = word("the same for the trick that is being played", "1:9H,TH")
    took: str = word("tricks taken this round, by seat", "0,2,0,0")
    scores: str = word("the scores of sides 0+2 and 1+3", "120,-45")
    bags: str = word("the bags of sides 0+2 and 1+3", "3,5")
    goal: int = word("the score that ends the game", "500")
    lose: str = word("the score that loses the game; `-` where there is none", "-100")
    passed: str | None = word(
        "only on tables with `blind_exchange: 2`: the cards you gave your partner, then those she"
        " gave you",
        "2H,3H/AS,AC",
    )
    hands: str | None = word(
        "only on tables with `open_hands`: all hands by seat", "2C,9D/AS,KH/4H,4D/-"
    )


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round has been played to its end and scored."""

    number: int = word("the round's number, from 1", "1")
    bids: str = word("the bids by seat, as in the question", "3,0,4,B")
    history: str = word("all tricks, as in the question", "0:7C,AC,2C,5C/1:KD,4D,3D,9D")
    points: str = word("what the round came to for sides 0+2 and 1+3", "63,-40")
    scores: str = word("the scores now", "183,-85")
    bags: str = word("the bags now", "6,5")

    def __str__(self) -> str:
        return (
            f"round {self.number} {self.bids} {self.history} {self.points} {self.scores}"
            f" {self.bags}"
        )


class Round(NamedTuple):
    """What stands from the deal to the last trick.

    `scores`, `bags` and `won` (rounds) are one number a side, as they were before the round.
    `blind` are the seats that bid blind nil; `gave` the cards that each seat passed to its partner.
    """

    options: Options
    number: int
    dealer: Seat
    scores: tuple[int, ...] = (0, 0)
    bags: tuple[int, ...] = (0, 0)
    won: tuple[int, ...] = (0, 0)
    blind: tuple[Seat, ...] = ()
    gave: Hands = _NO_CARDS

    @property
    def first(self) -> Seat:
        """The dealer's left, who bids first."""
        return (self.dealer + 1) % 4

    def bids_text(self, bids: Bids) -> str:
        """Write the bids by seat: `3,-,0,B`."""
        return ",".join(
            "B" if seat in self.blind else "-" if bid is None else str(bid)
            for seat, bid in enumerate(bids)
        )


class Tally(NamedTuple):
    """What a round came to, one number a side."""

    points: tuple[int, ...]
    scores: tuple[int, ...]
    bags: tuple[int, ...]


def tally(round: Round, bids: Sequence[int], took: Sequence[int]) -> Tally:
    """Score a round for both sides (rule b.4), ten bags paid for at once."""
    points, scores, bags = [], [], []
    for side in (0, 1):
        made, more = _side_points(round, side, bids, took)
        held = round.bags[side] + more
        made -= held // 10 * round.options.bag_penalty
        points.append(made)
        scores.append(round.scores[side] + made)
        bags.append(held % 10)
    return Tally(tuple(points), tuple(scores), tuple(bags))


def _side_points(
    round: Round, side: int, bids: Sequence[int], took: Sequence[int]
) -> tuple[int, int]:
    """What a side has made in a round before any penalty: points, and the bags among them."""
    points = 0
    for seat in (side, side + 2):
        if bids[seat] == NIL:
            stake = 200 if seat in round.blind else 100
            points += -stake if took[seat] else stake
    contract = of_side(bids, side)
    helping, bags = _tricks_that_count(round, side, bids, took)
    if helping < contract:
        return points - 10 * contract + bags, bags
    bags += helping - contract
    return points + 10 * contract + bags, bags


def _tricks_that_count(
    round: Round, side: int, bids: Sequence[int], took: Sequence[int]
) -> tuple[int, int]:
    """A side's tricks: those that help its contract, and those that can only be bags."""
    tricks = of_side(took, side)
    if round.options.failed_nil_tricks != "bags":
        return tricks, 0
    of_nils = sum(took[seat] for seat in (side, side + 2) if bids[seat] == NIL)
    return tricks - of_nils, of_nils


def of_side(numbers: Sequence[int], side: int) -> int:
    """What the two seats of a side have together."""
    return numbers[side] + numbers[side + 2]


def _hand_order(held: Card) -> tuple[int, int]:
    """Spades first, every suit from the ace down: as players sort their cards."""
    return -SUITS.index(held.suit), -RANKS.index(held.rank)


_ORDER = {held: place for place, held in enumerate(sorted(FULL_PACK, key=_hand_order))}
_POWER = {
    led: {
        held: RANKS.index(held.rank) + (26 if held.suit == TRUMP else 13 if held.suit == led else 0)
        for held in FULL_PACK
    }
    for led in SUITS
}
"""How strong a card is in a trick, by the suit that was led."""


def sorted_hand(held: Sequence[Card]) -> tuple[Card, ...]:
    """A hand as players hold it: spades, hearts, diamonds, clubs, each from the ace down."""
    return tuple(sorted(held, key=_ORDER.__getitem__))


def trick_winner(trick: Sequence[Card]) -> int:
    """Which of a trick's cards takes it, as its place in the order of play."""
    power = _POWER[trick[0].suit]
    return trick.index(max(trick, key=power.__getitem__))


def _illegal(action: Action, choice: Choice) -> IllegalAction:
    return IllegalAction(f"{action} is not allowed now: expected {choice.describe(str)}")


def _read_card(line: str) -> Card:
    """Read a card of the pack; small letters and blanks around it are accepted."""
    text = line.strip(" \t")
    if text.isascii() and (found := _CARDS.get(text.upper())):
        return found
    raise MalformedAnswer(f"'{quoted(line)}' is not a card: expected one such as 7H")


_CARDS = {str(held): held for held in FULL_PACK}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Drawing(Shuffle):
    """The dealer turns over a card for every seat: the highest deals first."""

    options: Options

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Find the first dealer."""
        drawn = [(RANKS.index(held.rank), SUITS.index(held.suit)) for held in order[:4]]
        return Shuffling(Round(self.options, 1, dealer=drawn.index(max(drawn)))), ()


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """A round is to be dealt; `last` is the one before it, as it ended."""

    round: Round
    last: Finished | None = None

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Deal one card at a time from the dealer's left."""
        first = self.round.first
        hands = tuple(sorted_hand(order[(seat - first) % 4 :: 4]) for seat in SEATS)
        return _before_the_cards(self.round, hands, first), ()


def _before_the_cards(round: Round, hands: Hands, seat: Seat) -> Phase:
    """Ask the next one who may bid blind nil, from this seat on, else let everybody look."""
    for turn in range((seat - round.first) % 4, 4):
        seat = (round.first + turn) % 4
        if _may_go_blind(round, seat):
            return GoingBlind(round, hands, seat)
    return _first_bid(round, hands)


def _may_go_blind(round: Round, seat: Seat) -> bool:
    behind = round.scores[(seat + 1) % 2] - round.scores[seat % 2]
    if (seat + 2) % 4 in round.blind and not round.options.double_nil:
        return False
    return {"off": False, "behind100": behind >= 100, "any": True}[round.options.blind_nil]


class GoingBlind(NamedTuple):
    """A seat says whether it bids nil before it sees its cards."""

    round: Round
    hands: Hands
    to_act: Seat

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """Look at the cards, or bid nil without."""
        return OneOf((Blind.LOOK, Blind.NIL))

    def question(self, seat: Seat) -> SpadesQuestion:
        """Scores and the blind bids before; nobody has seen a card, not even on an open table."""
        return _question(self.round, seat, "blind", "-,BN", _NO_CARDS, _first_bids(self.round))

    def read(self, line: str) -> Action:
        """Read `BN` or `-`."""
        text = line.strip(" \t")
        if text.isascii() and text.upper() in ("-", "BN"):
            return Blind(text.upper())
        raise MalformedAnswer(
            f"'{quoted(line)}' is not an answer before the cards: expected - or BN"
        )

    def write(self, action: Action) -> str:
        """Write `BN` or `-`."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Note a blind nil and ask the next one."""
        legal = self.legal_actions(self.to_act)
        if not isinstance(action, Blind) or action not in legal:
            raise _illegal(action, legal)
        round, seat = self.round, self.to_act
        if action is Blind.NIL:
            round = round._replace(blind=(*round.blind, seat))
        if seat == round.dealer:
            return _first_bid(round, self.hands), ()
        return _before_the_cards(round, self.hands, (seat + 1) % 4), ()


def _first_bid(round: Round, hands: Hands) -> Phase:
    """Everybody looks, and bids unless it has bid blind nil."""
    return _next_bid(round, hands, _first_bids(round))


def _first_bids(round: Round) -> Bids:
    return tuple(NIL if seat in round.blind else None for seat in SEATS)


def _next_bid(round: Round, hands: Hands, bids: Bids) -> Phase:
    for turn in SEATS:
        seat = (round.first + turn) % 4
        if bids[seat] is None:
            return Bidding(round, hands, bids, seat)
    return _after_the_bids(round, hands, tuple(bid or NIL for bid in bids))


class Bidding(NamedTuple):
    """A seat bids how many tricks it will take."""

    round: Round
    hands: Hands
    bids: Bids
    to_act: Seat

    def _limits(self) -> tuple[int, int]:
        partner = self.bids[(self.to_act + 2) % 4]
        options = self.round.options
        low = 1 if partner == NIL and not options.double_nil else NIL
        high = TRICKS - (partner or 0) if options.bid_cap == "side" else TRICKS
        return low, high

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """Any number of tricks, as far as the table does not say otherwise."""
        low, high = self._limits()
        return OneOf(_NUMBERS[low : high + 1])

    def question(self, seat: Seat) -> SpadesQuestion:
        """The own hand and the bids before."""
        low, high = self._limits()
        return _question(self.round, seat, "bid", f"{low}..{high}", self.hands, self.bids)

    def read(self, line: str) -> Action:
        """Read a number without a sign or leading zeros."""
        text = line.strip(" \t")
        if not _NUMBER.fullmatch(text):
            raise MalformedAnswer(f"'{quoted(line)}' is not a bid: expected a number from 0 to 13")
        return int(text)

    def write(self, action: Action) -> str:
        """Write the number."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Note a bid and ask the next one."""
        legal = self.legal_actions(self.to_act)
        if not isinstance(action, int) or action not in legal:
            raise _illegal(action, legal)
        round, hands, bids, seat = self
        return _next_bid(round, hands, replaced(bids, seat, action)), ()


_NUMBERS = tuple(range(TRICKS + 1))


def _after_the_bids(round: Round, hands: Hands, bids: tuple[int, ...]) -> Phase:
    """Let blind nil bidders exchange cards where the table has that, then play."""
    queue: list[Seat] = []
    for seat in round.blind:
        partner = (seat + 2) % 4
        if partner not in round.blind:
            queue += [seat] * round.options.blind_exchange
            queue += [partner] * round.options.blind_exchange
    if queue:
        return Passing(round, hands, bids, tuple(queue))
    return _first_trick(round, hands, bids)


class Passing(NamedTuple):
    """A card is passed to the partner; `queue` are those who pass, one entry a card."""

    round: Round
    hands: Hands
    bids: tuple[int, ...]
    queue: tuple[Seat, ...]

    @property
    def to_act(self) -> Seat:
        """The next one who passes a card."""
        return self.queue[0]

    def legal_actions(self, seat: Seat) -> Choice:
        """Any card of the hand."""
        return OneOf(self.hands[seat])

    def question(self, seat: Seat) -> SpadesQuestion:
        """The own hand, the bids, and what the two have passed each other."""
        hands = self.hands
        return _question(self.round, seat, "pass", ",".join(hands[seat]), hands, self.bids)

    def read(self, line: str) -> Action:
        """Read a card."""
        return _read_card(line)

    def write(self, action: Action) -> str:
        """Write a card."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Put the card into the partner's hand."""
        round, hands, bids, (seat, *queue) = self
        if action not in hands[seat]:
            raise _illegal(action, self.legal_actions(seat))
        passed, partner = hands[seat][hands[seat].index(action)], (seat + 2) % 4
        hands = replaced(hands, seat, without(hands[seat], passed))
        hands = replaced(hands, partner, sorted_hand((*hands[partner], passed)))
        round = round._replace(gave=replaced(round.gave, seat, (*round.gave[seat], passed)))
        if queue:
            return Passing(round, hands, bids, tuple(queue)), ()
        return _first_trick(round, hands, bids), ()


_TWO_OF_CLUBS = card("2C")


def _first_trick(round: Round, hands: Hands, bids: tuple[int, ...]) -> Phase:
    leader = round.first
    if round.options.first_lead == "two_of_clubs":
        leader = next(seat for seat in SEATS if _TWO_OF_CLUBS in hands[seat])
    return Playing(round, bids, hands, leader, (), False, (0,) * 4, "")


class Playing(NamedTuple):
    """A trick is being played: `leader` led, and `trick` are the cards so far.

    `broken` says whether a spade has been played, `took` how many tricks each seat has taken.
    `history` are the finished tricks as text.
    """

    round: Round
    bids: tuple[int, ...]
    hands: Hands
    leader: Seat
    trick: tuple[Card, ...]
    broken: bool
    took: tuple[int, ...]
    history: str

    @property
    def to_act(self) -> Seat:
        """The one after the last card."""
        return (self.leader + len(self.trick)) % 4

    def _legal(self) -> tuple[Card, ...]:
        """The cards that may be played: follow suit; no spade is led before they are broken."""
        hand = self.hands[self.to_act]
        if self.trick:
            return of_suit(hand, self.trick[0].suit) or hand
        if self.broken:
            return hand
        if not self.history and self.round.options.first_lead == "two_of_clubs":
            return (_TWO_OF_CLUBS,)
        return tuple([held for held in hand if held.suit != TRUMP]) or hand

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """The cards that the rules let this seat play."""
        return OneOf(self._legal())

    def question(self, seat: Seat) -> SpadesQuestion:
        """The own hand, the bids and every card that has been played."""
        return _question(
            self.round,
            seat,
            "play",
            ",".join(self._legal()),
            self.hands,
            self.bids,
            self.history,
            trick_text(self.leader, self.trick),
            self.took,
        )

    def read(self, line: str) -> Action:
        """Read a card."""
        return _read_card(line)

    def write(self, action: Action) -> str:
        """Write a card."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Play a card, and finish the trick or the round with it."""
        legal = self._legal()
        if action not in legal:
            raise _illegal(action, OneOf(legal))
        after = self.put(legal[legal.index(action)])
        return _finish(after) if isinstance(after, Finished) else (after, ())

    def put(self, played: Card) -> Playing | Finished:
        """The position, or the finished round, after a legal card."""
        round, bids, hands, leader, trick, broken, took, history = self
        seat = self.to_act
        hands = replaced(hands, seat, without(hands[seat], played))
        trick = (*trick, played)
        broken = broken or played.suit == TRUMP
        if len(trick) < 4:
            return Playing(round, bids, hands, leader, trick, broken, took, history)
        winner = (leader + trick_winner(trick)) % 4
        took = replaced(took, winner, took[winner] + 1)
        text = trick_text(leader, trick)
        history = f"{history}/{text}" if history else text
        if hands[winner]:
            return Playing(round, bids, hands, winner, (), broken, took, history)
        return Finished(round, bids, took, history)


class Finished(NamedTuple):
    """A round that has been played: what was bid in it, and what was taken."""

    round: Round
    bids: tuple[int, ...]
    took: tuple[int, ...]
    history: str

    @property
    def tally(self) -> Tally:
        """What it came to."""
        return tally(self.round, self.bids, self.took)

    def news(self) -> RoundOver:
        """Tell the round to everybody."""
        points, scores, bags = (",".join(map(str, numbers)) for numbers in self.tally)
        bids = self.round.bids_text(self.bids)
        return RoundOver(self.round.number, bids, self.history, points, scores, bags)


def _finish(last: Finished) -> tuple[Phase | Over, Sequence[News]]:
    """Score a round (rule b.4) and go on to the next or end the game (rule b.5)."""
    round, (points, scores, bags) = last.round, last.tally
    won = tuple(won + (points[side] > points[1 - side]) for side, won in enumerate(round.won))
    after: Phase | Over
    if _is_over(round, scores):
        after = Over(scores=scores * 2, hands=(round.number,) * 4, won=won * 2)
    else:
        dealer = (round.dealer + 1) % 4
        upcoming = Round(round.options, round.number + 1, dealer, scores, bags, won)
        after = Shuffling(upcoming, last)
    return after, (last.news(),)


def _is_over(round: Round, scores: Sequence[int]) -> bool:
    """Say whether the game ends with these scores; equal ones play on."""
    options = round.options
    if round.number == options.max_rounds:
        return True
    goal = options.goal + (options.goal_test == "exceeded")
    lost = bool(options.lose) and min(scores) <= options.lose
    return scores[0] != scores[1] and (max(scores) >= goal or lost)


def _question(
    round: Round,
    seat: Seat,
    phase: str,
    legal: str,
    hands: Hands,
    bids: Bids,
    history: str = "-",
    trick: str = "-",
    took: tuple[int, ...] = (0, 0, 0, 0),
) -> SpadesQuestion:
    """Write down what this seat may know: of the hands its own, and all that lay on the table."""
    options = round.options
    mine, hers = round.gave[seat], round.gave[(seat + 2) % 4]
    return SpadesQuestion(
        game="spades",
        phase=phase,
        legal=legal,
        seat=seat,
        dealer=round.dealer,
        hand=listed(hands[seat]),
        bids=round.bids_text(bids),
        history=history or "-",
        trick=trick,
        took=",".join(map(str, took)),
        scores=",".join(map(str, round.scores)),
        bags=",".join(map(str, round.bags)),
        goal=options.goal,
        lose=str(options.lose or "-"),
        passed=f"{listed(mine)}/{listed(hers)}" if options.blind_exchange else None,
        hands="/".join(map(listed, hands)) if options.open_hands else None,
    )


_EXAMPLE_PACK = (
    "2S,5D,TS,JD,7S,4S,9H,3C,5H,4D,9S,5C,QC,9C,QD,6H,5S,KD,8C,JH,2C,KH,8S,2D,TC,7C,"
    "TH,AC,2H,4C,6C,8D,9D,3D,TD,6D,7H,4H,8H,3S,AD,JS,AS,KS,QH,QS,3H,6S,AH,JC,7D,KC"
)
_EXAMPLE_ANSWERS = """
4 2 4 0
7H KH 8H JH JC 6C AC 2C KC QC 7C 8C 3C TC 4C 9H QH 4H 3H 6H AH 5D TH 6D 9D KD
7D 8D 3D TD JD AD 5H JS QD 6S QS TS 3S 5S 9C 9S 5C 2S AS KS 7S 4S 8S 2D 2H 4D
"""


class Spades(Game):
    """Two against two: bid how many tricks your side will take, then take them and few more."""

    name = "spades"
    title = "Spades"
    version = 1
    seats = range(4, 5)
    options = Options
    presets = MappingProxyType(
        {
            "standard": Options(),
            "paper": Options(goal=200),
            "one_round": Options(max_rounds=1),
            "openspiel": Options(
                max_rounds=1, bag_penalty=100, failed_nil_tricks="both", bid_cap="side"
            ),
        }
    )
    sample = (
        *("spades", "bid", "0..13", "1", "0", "AS,KS,JS,6S,2S,AH,QH,QD,KC,9C,5C,4C,3C"),
        *("-,-,-,-", "-", "-", "0,0,0,0", "0,0", "0,0", "500", "-100"),
    )
    questions = (SpadesQuestion,)
    news = (RoundOver,)
    answers = MappingProxyType(
        {
            "n": "in phase `bid`: that you will take n tricks, 0 to 13; 0 is nil",
            "BN": "in phase `blind`: nil before you have seen your cards",
            "-": "in phase `blind`: no; you bid when you have seen your cards",
            "7H": "in phases `play` and `pass`: that card of your hand",
        }
    )
    example = Example(
        options=Options(max_rounds=1),
        seats=4,
        cards=_EXAMPLE_PACK,
        answers=tuple(_EXAMPLE_ANSWERS.split()),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:  # noqa: ARG002
        """Sit down for a game of as many rounds as it takes."""
        self.check_table(options, seats)
        if options.first_dealer == "drawn":
            return Drawing(options)
        return Shuffling(Round(options, number=1, dealer=0))

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """Who sits opposite each other plays together."""
        return (0, 2), (1, 3)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the four hands, what was bid and taken, and the trick on the table."""
        return _scene(phase)

    def remark(self, before: Phase, after: Phase | Over, names: Sequence[str]) -> str:
        """Tell nils, who takes a trick, and what a round came to."""
        return "; ".join(_remarks(before, after, names))


def _scene(phase: Phase | Over) -> Scene:
    if isinstance(phase, Over):
        return _the_end(phase)
    if isinstance(phase, Drawing):
        return Scene("the draw for the deal", tuple(map(Place, SEATS)))
    if isinstance(phase, Playing):
        return _play_scene(phase)
    assert isinstance(phase, Shuffling | GoingBlind | Bidding | Passing)
    if isinstance(phase, Shuffling):
        if phase.last:
            return _finished_scene(phase.last)
        hands, bids = _NO_CARDS, _NO_BIDS
    else:
        hands = phase.hands
        bids = _first_bids(phase.round) if isinstance(phase, GoingBlind) else phase.bids
    round, face_down = phase.round, isinstance(phase, GoingBlind)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                tuple(Shown(held, face_down) for held in hands[seat]),
                _facts(round, seat, round.scores, round.bags, bids),
                "deals" if seat == round.dealer else "",
                to_act=seat == phase.to_act,
                in_hand=True,
            )
            for seat in SEATS
        ),
    )


def _the_end(over: Over) -> Scene:
    return Scene(
        "the end",
        tuple(
            Place(seat, facts=(("score", str(score)), ("rounds won", f"{won} of {rounds}")))
            for seat, (score, won, rounds) in enumerate(
                zip(over.scores, over.won, over.hands, strict=True)
            )
        ),
    )


def _play_scene(phase: Playing) -> Scene:
    """The hands, and the trick on the table: the last one for as long as nobody has led."""
    round, took = phase.round, phase.took
    played, just_over = _on_the_table(phase.leader, phase.trick, phase.history)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (
                    *_facts(round, seat, round.scores, round.bags, phase.bids),
                    ("took", str(took[seat])),
                ),
                "took it" if just_over and seat == phase.leader else "",
                to_act=seat == phase.to_act,
                in_hand=True,
                played=played[seat],
            )
            for seat in SEATS
        ),
        (
            ("trick", f"{sum(took) + 1} of {TRICKS}"),
            ("spades", "broken" if phase.broken else "not broken"),
            *(
                (f"seats {side} and {side + 2}", f"{of_side(took, side)} of {contract}")
                for side in (0, 1)
                for contract in [of_side(phase.bids, side)]
            ),
        ),
    )


def _finished_scene(last: Finished) -> Scene:
    """The last trick, what everybody bid and took, and what it came to."""
    round, (points, scores, bags) = last.round, last.tally
    played, _ = _on_the_table(0, (), last.history)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                (),
                (
                    *_facts(round, seat, scores, bags, last.bids),
                    ("took", str(last.took[seat])),
                    ("round", f"{points[seat % 2]:+}"),
                ),
                played=played[seat],
            )
            for seat in SEATS
        ),
    )


def _facts(
    round: Round, seat: Seat, scores: Sequence[int], bags: Sequence[int], bids: Bids
) -> tuple[tuple[str, str], ...]:
    bid = bids[seat]
    facts = (("score", str(scores[seat % 2])), ("bags", str(bags[seat % 2])))
    if bid is None:
        return facts
    nil = "blind nil" if seat in round.blind else "nil"
    return (*facts, ("bid", nil if bid == NIL else str(bid)))


def _on_the_table(
    leader: Seat, trick: tuple[Card, ...], history: str
) -> tuple[tuple[tuple[Shown, ...], ...], bool]:
    """What each seat has laid in this trick, or in the one that is just over (True)."""
    just_over = not trick and bool(history)
    if just_over:
        led, names = history.split("/")[-1].split(":")
        leader, trick = int(led), cards(names)
    played: list[tuple[Shown, ...]] = [()] * 4
    for turn, held in enumerate(trick):
        played[(leader + turn) % 4] = (Shown(held),)
    return tuple(played), just_over


def _remarks(before: Phase, after: Phase | Over, names: Sequence[str]) -> Iterator[str]:
    if isinstance(before, Drawing):
        assert isinstance(after, Shuffling)
        yield f"{names[after.round.dealer]} deals first"
    elif isinstance(before, GoingBlind):
        assert isinstance(after, GoingBlind | Bidding | Passing | Playing)
        if before.to_act in after.round.blind:
            yield f"{names[before.to_act]} bids blind nil"
    elif isinstance(before, Bidding):
        assert isinstance(after, Bidding | Passing | Playing)
        if after.bids[before.to_act] == NIL:
            yield f"{names[before.to_act]} bids nil"
        if not isinstance(after, Bidding):
            contracts = (f"{_pair(names, side)} bid {of_side(after.bids, side)}" for side in (0, 1))
            yield ", ".join(contracts)
    elif isinstance(before, Passing):
        yield f"{names[before.to_act]} passes it to {names[(before.to_act + 2) % 4]}"
    elif isinstance(before, Playing):
        yield from _card_remarks(before, after, names)


def _card_remarks(before: Playing, after: Phase | Over, names: Sequence[str]) -> Iterator[str]:
    if isinstance(after, Playing):
        if after.broken and not before.broken:
            yield "spades are broken"
        if not after.trick:
            yield f"{names[after.leader]} takes the trick"
        return
    (last_card,) = before.hands[before.to_act]
    last = before.put(last_card)
    assert isinstance(last, Finished)
    winner = next(seat for seat in SEATS if last.took[seat] > before.took[seat])
    yield f"{names[winner]} takes the trick"
    for seat in SEATS:
        if last.bids[seat] == NIL:
            yield f"{names[seat]}'s nil {'fails' if last.took[seat] else 'holds'}"
    for side in (0, 1):
        contract, tricks = of_side(last.bids, side), of_side(last.took, side)
        helping, _ = _tricks_that_count(last.round, side, last.bids, last.took)
        verb = "made" if helping >= contract else "missed"
        yield (
            f"{_pair(names, side)} {verb} {contract} with {tricks} tricks:"
            f" {last.tally.points[side]:+}"
        )


def _pair(names: Sequence[str], side: int) -> str:
    return f"{names[side]} and {names[side + 2]}"
