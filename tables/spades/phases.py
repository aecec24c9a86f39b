"""The phases of a round of spades: the deal, blind nils, bids, an exchange, thirteen tricks.

Rules are cited from docs/rules/spades.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from card_arena.tables.cards import FULL_PACK, Card, listed
from card_arena.tables.encoding import plain
from card_arena.tables.game import (
    Draw,
    MalformedAnswer,
    Mistake,
    Notice,
    Phase,
    Seat,
    Shuffle,
    Terminal,
    illegal,
)
from card_arena.tables.legal_actions import Action, LegalActions, OneOf
from card_arena.tables.spades.messages import RoundOver, SpadesQuestion
from card_arena.tables.spades.rules import (
    NIL,
    NO_CARDS,
    SEATS,
    TRICKS,
    TRUMP,
    TWO_OF_CLUBS,
    Bids,
    Hands,
    Options,
    Round,
    Tally,
    bids_text,
    is_over,
    playable,
    read_card,
    tally,
    trick_winner,
)
from card_arena.tables.tricks import (
    numbers,
    open_hands,
    replaced,
    sorted_hand,
    trick_text,
    with_trick,
    without,
)

NOT_BLIND = Mistake("spades.blind", "is not an answer before the cards: expected - or BN")
NO_BID = Mistake("spades.bid", "is not a bid: expected a number from 0 to 13")


def first_bids(round: Round) -> Bids:
    """The bids when the cards are first seen: nil for blind bidders, none for the others."""
    return tuple(NIL if seat in round.blind else None for seat in SEATS)


def question(
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
    """Write down what this seat may know: its own hand, and everything played on the table."""
    options = round.options
    mine, hers = round.gave[seat], round.gave[(seat + 2) % 4]
    return SpadesQuestion(
        game="spades",
        phase=phase,
        legal=legal,
        seat=seat,
        dealer=round.dealer,
        hand=listed(hands[seat]),
        bids=bids_text(bids, round.blind),
        history=history,
        trick=trick,
        took=numbers(took),
        scores=numbers(round.scores),
        bags=numbers(round.bags),
        goal=options.winning_score,
        lose=str(options.lose or "-"),
        passed=f"{listed(mine)}/{listed(hers)}" if options.blind_exchange else None,
        hands=open_hands(options, hands),
    )


class Blind(StrEnum):
    """The answers before the cards are seen."""

    LOOK = "-"
    NIL = "BN"


_NUMBER = re.compile(r"0|[1-9][0-9]{0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Drawing(Draw):
    """The first dealer is drawn."""

    options: Options

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def drawn(self, dealer: Seat) -> Phase:
        """The first round, dealt by this seat."""
        return Shuffling(Round(self.options, number=1, dealer=dealer))


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """A round is to be dealt; `last` is the finished previous round."""

    round: Round
    last: Finished | None = None

    @property
    def pack(self) -> tuple[Card, ...]:
        """A full pack."""
        return FULL_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Deal one card at a time from the dealer's left."""
        first = self.round.first
        hands = tuple(sorted_hand(order[(seat - first) % 4 :: 4]) for seat in SEATS)
        return _before_the_cards(self.round, hands, first), ()


def _before_the_cards(round: Round, hands: Hands, seat: Seat) -> Phase:
    """Ask the next seat that may bid blind nil, from this one on, or else let all look."""
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

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Look at the cards, or bid nil without."""
        return OneOf((Blind.LOOK, Blind.NIL))

    def question(self, seat: Seat) -> SpadesQuestion:
        """Scores and the blind bids before; nobody has seen a card, not even on an open table."""
        return question(self.round, seat, "blind", "-,BN", NO_CARDS, first_bids(self.round))

    def read(self, line: str) -> Action:
        """Read `BN` or `-`."""
        text = plain(line)
        if text in ("-", "BN"):
            return Blind(text)
        raise MalformedAnswer(NOT_BLIND, line)

    def write(self, action: Action) -> str:
        """Write `BN` or `-`."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Record a blind nil and ask the next seat."""
        if not isinstance(action, Blind):
            raise illegal(self, action)
        round, seat = self.round, self.to_act
        if action is Blind.NIL:
            round = round._replace(blind=(*round.blind, seat))
        if seat == round.dealer:
            return _first_bid(round, self.hands), ()
        return _before_the_cards(round, self.hands, (seat + 1) % 4), ()


def _first_bid(round: Round, hands: Hands) -> Phase:
    """The first bid: all seats look, and bid unless they have bid blind nil."""
    return _next_bid(round, hands, first_bids(round))


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

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Any number of tricks, within the table's options.

        The fallback action bids one: nil would be a heavy price for a fault, paid by the partner
        too.
        """
        low, high = self._limits()
        return OneOf((*_NUMBERS[1 : high + 1], *_NUMBERS[low:1]))

    def question(self, seat: Seat) -> SpadesQuestion:
        """The seat's own hand and the earlier bids."""
        low, high = self._limits()
        return question(self.round, seat, "bid", f"{low}..{high}", self.hands, self.bids)

    def read(self, line: str) -> Action:
        """Read a number without a sign or leading zeros."""
        text = plain(line)
        if not _NUMBER.fullmatch(text):
            raise MalformedAnswer(NO_BID, line)
        return int(text)

    def write(self, action: Action) -> str:
        """Write the number."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Record a bid and ask the next seat."""
        if not isinstance(action, int) or action not in self.legal_actions(self.to_act):
            raise illegal(self, action)
        round, hands, bids, seat = self
        return _next_bid(round, hands, replaced(bids, seat, action)), ()


_NUMBERS = tuple(range(TRICKS + 1))


def _after_the_bids(round: Round, hands: Hands, bids: tuple[int, ...]) -> Phase:
    """Let blind nil bidders exchange cards, if the table allows it, then play."""
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
    """A card is passed to the partner; `queue` are the passing seats, one entry per card."""

    round: Round
    hands: Hands
    bids: tuple[int, ...]
    queue: tuple[Seat, ...]

    @property
    def to_act(self) -> Seat:
        """The next seat that passes a card."""
        return self.queue[0]

    def legal_actions(self, seat: Seat) -> LegalActions:
        """Any card of the hand."""
        return OneOf(self.hands[seat])

    def question(self, seat: Seat) -> SpadesQuestion:
        """The seat's own hand, the bids, and the cards that the partners have passed each other."""
        hands = self.hands
        return question(self.round, seat, "pass", ",".join(hands[seat]), hands, self.bids)

    def read(self, line: str) -> Action:
        """Read a card."""
        return read_card(line)

    def write(self, action: Action) -> str:
        """Write a card."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Put the card into the partner's hand."""
        round, hands, bids, (seat, *queue) = self
        if action not in hands[seat]:
            raise illegal(self, action)
        passed, partner = hands[seat][hands[seat].index(action)], (seat + 2) % 4
        hands = replaced(hands, seat, without(hands[seat], passed))
        hands = replaced(hands, partner, sorted_hand((*hands[partner], passed)))
        round = round._replace(gave=replaced(round.gave, seat, (*round.gave[seat], passed)))
        if queue:
            return Passing(round, hands, bids, tuple(queue)), ()
        return _first_trick(round, hands, bids), ()


def _first_trick(round: Round, hands: Hands, bids: tuple[int, ...]) -> Phase:
    leader = round.first
    if round.options.first_lead == "two_of_clubs":
        leader = next(seat for seat in SEATS if TWO_OF_CLUBS in hands[seat])
    return asked_to_play(round, bids, hands, leader)


def asked_to_play(
    round: Round,
    bids: tuple[int, ...],
    hands: Hands,
    seat: Seat,
    trick: tuple[Card, ...] = (),
    broken: bool = False,
    took: tuple[int, ...] = (0, 0, 0, 0),
    history: str = "",
) -> Playing:
    """Find what a seat may play: follow suit; no spade is led before one has been played."""
    first = not history and round.options.first_lead == "two_of_clubs"
    legal = playable(hands[seat], trick, broken=broken, two_of_clubs_leads=first)
    return Playing(round, bids, hands, seat, legal, trick, broken, took, history)


class Playing(NamedTuple):
    """A seat is asked for one of its legal cards.

    `trick` are the cards of this trick so far; `broken` says whether a spade has been played in
    the round, `took` how many tricks each seat has taken. `history` are the finished tricks as
    text.
    """

    round: Round
    bids: tuple[int, ...]
    hands: Hands
    to_act: Seat
    legal: tuple[Card, ...]
    trick: tuple[Card, ...]
    broken: bool
    took: tuple[int, ...]
    history: str

    @property
    def leader(self) -> Seat:
        """The seat that has led to this trick, or leads to it now."""
        return (self.to_act - len(self.trick)) % 4

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """The cards that the rules let this seat play."""
        return OneOf(self.legal)

    def question(self, seat: Seat) -> SpadesQuestion:
        """The seat's own hand, the bids and every card that has been played."""
        return question(
            self.round,
            seat,
            "play",
            ",".join(self.legal),
            self.hands,
            self.bids,
            self.history or "-",
            trick_text(self.leader, self.trick),
            self.took,
        )

    def read(self, line: str) -> Action:
        """Read a card."""
        return read_card(line)

    def write(self, action: Action) -> str:
        """Write a card."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Play a card, and finish the trick or the round with it."""
        if action not in self.legal:
            raise illegal(self, action)
        after = self.played(self.legal[self.legal.index(action)])
        return _finish(after) if isinstance(after, Finished) else (after, ())

    def played(self, card: Card) -> Playing | Finished:
        """The position, or the finished round, after a legal card."""
        round, bids, hands, seat, _, trick, broken, took, history = self
        hands = replaced(hands, seat, without(hands[seat], card))
        trick = (*trick, card)
        broken = broken or card.suit == TRUMP
        if len(trick) < 4:
            return asked_to_play(round, bids, hands, (seat + 1) % 4, trick, broken, took, history)
        leader = (seat + 1) % 4
        winner = (leader + trick_winner(trick)) % 4
        took = replaced(took, winner, took[winner] + 1)
        history = with_trick(history, leader, trick)
        if hands[winner]:
            return asked_to_play(round, bids, hands, winner, (), broken, took, history)
        return Finished(round, bids, took, history)


class Finished(NamedTuple):
    """A round that has been played: what was bid in it, and what was taken."""

    round: Round
    bids: tuple[int, ...]
    took: tuple[int, ...]
    history: str

    @property
    def tally(self) -> Tally:
        """The result of the round."""
        return tally(self.round, self.bids, self.took)

    def notices(self) -> RoundOver:
        """The public notices of the round."""
        points, scores, bags = map(numbers, self.tally)
        bids = bids_text(self.bids, self.round.blind)
        return RoundOver(self.round.number, bids, self.history, points, scores, bags)


def _finish(last: Finished) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """Score a round (rule b.4) and go on to the next or end the game (rule b.5)."""
    round, (points, scores, bags) = last.round, last.tally
    won = tuple(won + (points[side] > points[1 - side]) for side, won in enumerate(round.won))
    after: Phase | Terminal
    if is_over(round, scores):
        after = Terminal(scores=scores * 2, hands=(round.number,) * 4, won=won * 2)
    else:
        dealer = (round.dealer + 1) % 4
        upcoming = Round(round.options, round.number + 1, dealer, scores, bags, won)
        after = Shuffling(upcoming, last)
    return after, (last.notices(),)
