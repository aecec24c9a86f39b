"""The phases of French tarot: bids, the discard and the play, each as the rules say it.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from card_arena.tables.cards import EXCUSE, TAROT_PACK, Card, listed
from card_arena.tables.encoding import plain
from card_arena.tables.game import (
    IllegalAction,
    MalformedAnswer,
    Mistake,
    Notice,
    Phase,
    Seat,
    Shuffle,
    Terminal,
    illegal,
)
from card_arena.tables.legal_actions import Action, LegalActions, OneOf, Pick, describe
from card_arena.tables.tarot.messages import DealOff, DealOver, TarotQuestion
from card_arena.tables.tarot.rules import (
    CONTRACTS,
    DOG,
    HALF_POINTS,
    NEEDED,
    PASS,
    POIGNEES,
    SEATS,
    TRICKS,
    Call,
    Count,
    Deal,
    DealResult,
    FirstCard,
    Hand,
    Hands,
    Poignee,
    ScoreSheet,
    Trick,
    card_named,
    chelem,
    dealt,
    discards,
    in_order,
    is_petit_sec,
    marks,
    petit_au_bout,
    playable,
    points_text,
    result,
    taker_count,
    winning_place,
)
from card_arena.tables.tricks import numbers, open_hands, replaced, trick_text, with_trick, without

NO_BID = Mistake(
    "tarot.bid",
    "is not a bid: expected pass, petite, garde, sans or contre, with ! behind it for the chelem",
)
NO_DISCARD = Mistake("tarot.discard", "is not a discard: expected six cards joined by commas")
NOT_SIX = Mistake(
    "tarot.not-six",
    lambda facts: f"has {facts['cards']} card{'s' * (facts['cards'] != 1)}: expected six",
)
TWICE = Mistake("tarot.twice", "names a card twice: expected six different cards")
NO_CARD = Mistake(
    "tarot.card",
    "is not a card: expected one such as KS, A14 or EX, or a card, show and a poignée",
)
NO_POIGNEE = Mistake(
    "tarot.poignee",
    lambda facts: (
        f"shows no poignée: expected {', '.join(map(str, facts['sizes'][:-1]))} or"
        f" {facts['sizes'][-1]} different cards joined by commas"
    ),
)


def bid_question(
    sheet: ScoreSheet, hands: Hands, seat: Seat, legal: Sequence[Call], calls: Sequence[Call]
) -> TarotQuestion:
    """The question before there is a taker."""
    return TarotQuestion(
        game="tarot",
        phase="bid",
        legal=",".join(map(str, legal)),
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        bids=sheet.calls_text(calls),
        taker="-",
        contract="-",
        dog="-",
        discard="-",
        shown="-",
        history="-",
        trick="-",
        scores=numbers(sheet.scores),
        deal=f"{sheet.number}/{sheet.options.deals}",
        hands=open_hands(sheet.options, hands),
    )


def deal_question(
    deal: Deal,
    hands: Hands,
    seat: Seat,
    phase: str,
    legal: Sequence[Card],
    *,
    shown: str = "-",
    history: str = "-",
    trick: str = "-",
) -> TarotQuestion:
    """The question once there is a taker."""
    sheet = deal.sheet
    return TarotQuestion(
        game="tarot",
        phase=phase,
        legal=",".join(legal),
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        bids=sheet.calls_text(deal.calls),
        taker=str(deal.taker),
        contract=str(deal.call),
        dog=listed(deal.dog_seen_by(seat)),
        discard=listed(deal.discard_seen_by(seat)),
        shown=shown,
        history=history,
        trick=trick,
        scores=numbers(sheet.scores),
        deal=f"{sheet.number}/{sheet.options.deals}",
        hands=open_hands(sheet.options, hands),
    )


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """A deal is due; `last` is the finished previous deal."""

    sheet: ScoreSheet
    last: Bidding | Discarding | Playing | None = None

    @property
    def pack(self) -> tuple[Card, ...]:
        """The 78 cards of tarot."""
        return TAROT_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Deal, starting after the dealer, and look for a petit sec (rules a.2 and a.3)."""
        sheet = self.sheet
        by_turn, dog = dealt(order)
        hands = tuple(by_turn[(seat - sheet.first) % 3] for seat in SEATS)
        bidding = Bidding(sheet, hands, dog)
        if sheet.options.petit_sec == "annul" and any(map(is_petit_sec, hands)):
            return _annulled(bidding, sheet, "petit")
        return bidding, ()


def _annulled(
    last: Bidding | Discarding, sheet: ScoreSheet, why: str
) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """Collect the cards of an annulled deal; the next dealer deals again."""
    notices = DealOff(sheet.number, why)
    return Shuffling(sheet._replace(dealer=sheet.first, again=sheet.again + 1), last), (notices,)


class Bidding(NamedTuple):
    """A seat bids, or passes; everybody is asked once (rule b.1)."""

    sheet: ScoreSheet
    hands: Hands
    dog: Hand
    calls: tuple[Call, ...] = ()

    @property
    def to_act(self) -> Seat:
        """The next seat, starting after the dealer."""
        return (self.sheet.first + len(self.calls)) % 3

    def _bids(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.contract != PASS)

    def _allowed(self) -> tuple[Call, ...]:
        options, bids = self.sheet.options, self._bids()
        lowest = CONTRACTS.index(bids[-1].contract) + 1 if bids else 0
        names = (PASS, *CONTRACTS[max(lowest, not options.petite) :])
        announced = names if options.chelem_by == "any" else names[1:]
        return (*map(Call, names), *(Call(name, chelem=True) for name in announced))

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Pass, or bid higher than everybody before."""
        return OneOf(self._allowed())

    def question(self, seat: Seat) -> TarotQuestion:
        """The seat's own hand and the earlier bids."""
        return bid_question(self.sheet, self.hands, seat, self._allowed(), self.calls)

    def read(self, line: str) -> Action:
        """Read a bid, with `!` behind it for the chelem."""
        text = plain(line).lower()
        name = text.removesuffix("!")
        if name not in (PASS, *CONTRACTS):
            raise MalformedAnswer(NO_BID, line)
        return Call(name, text.endswith("!"))

    def write(self, action: Action) -> str:
        """Write a bid: `garde!`."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Record the bid; after the third the highest bidder is the taker (rules b.1 to b.3)."""
        if not isinstance(action, Call) or action not in self._allowed():
            raise illegal(self, action)
        following = self._replace(calls=(*self.calls, action))
        if len(following.calls) < 3:
            return following, ()
        return following._closed()

    def _closed(self) -> tuple[Phase | Terminal, Sequence[Notice]]:
        sheet, bids = self.sheet, self._bids()
        if not bids:
            return self._all_passed()
        call = bids[-1]
        taker = (sheet.first + self.calls.index(call)) % 3
        deal = Deal(sheet, self.calls, taker, call, self.dog)
        if not deal.takes_dog:
            return Playing(deal, self.hands, deal.leads), ()
        taken = in_order((*self.hands[taker], *self.dog))
        discarding = Discarding(deal, replaced(self.hands, taker, taken))
        if discards(taken, trumps=sheet.options.trump_discards == "forced") is None:
            return _annulled(discarding, sheet, "discard")
        return discarding, ()

    def _all_passed(self) -> tuple[Phase | Terminal, Sequence[Notice]]:
        sheet = self.sheet
        if sheet.again < sheet.options.redeals:
            return _annulled(self, sheet, "passed")
        notices = (DealOff(sheet.number, "passed"),)
        if sheet.number == sheet.options.deals:
            return _over(sheet), notices
        return Shuffling(sheet.next_deal(), self), notices


def _over(sheet: ScoreSheet) -> Terminal:
    return Terminal(scores=sheet.scores, hands=(sheet.played,) * 3, won=sheet.won)


class Discarding(NamedTuple):
    """The taker holds the dog and puts six cards away (rule b.3)."""

    deal: Deal
    hands: Hands

    @property
    def to_act(self) -> Seat:
        """The taker."""
        return self.deal.taker

    def _discards(self) -> Pick:
        picked = discards(self.hands[self.deal.taker])
        assert picked is not None, "a taker without a discard is never asked for one"
        return picked

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Six cards, but neither kings nor bouts, nor trumps before the last other card."""
        return self._discards()

    def question(self, seat: Seat) -> TarotQuestion:
        """The taker's thirty cards."""
        return deal_question(self.deal, self.hands, seat, "discard", self._discards().cards)

    def read(self, line: str) -> Action:
        """Read six different cards joined by commas."""
        named = [card_named(name) for name in plain(line).split(",")]
        cards = [card for card in named if card is not None]
        if len(cards) < len(named):
            raise MalformedAnswer(NO_DISCARD, line)
        if len(cards) != DOG:
            raise MalformedAnswer(NOT_SIX, line, cards=len(cards))
        if len(set(cards)) < DOG:
            raise MalformedAnswer(TWICE, line)
        return frozenset(cards)

    def write(self, action: Action) -> str:
        """Write the six cards in the order of a hand."""
        assert isinstance(action, frozenset), "a discard is a set of cards"
        return ",".join(in_order(action))

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Put the cards away."""
        legal = self._discards()
        if not isinstance(action, frozenset) or action not in legal:
            raise IllegalAction(f"that can't be put away: expected {describe(legal.outline(str))}")
        deal = self.deal._replace(discard=in_order(action))
        kept = tuple(card for card in self.hands[deal.taker] if card not in action)
        return Playing(deal, replaced(self.hands, deal.taker, kept), deal.leads), ()


class Playing(NamedTuple):
    """A seat plays a card, before its first one perhaps a poignée (rules b.4 and b.5).

    `leader` led to the cards of `trick`; `tricks` are finished, and `history` is their text.
    `shown` are the poignées: who showed which cards.
    """

    deal: Deal
    hands: Hands
    leader: Seat
    trick: Hand = ()
    tricks: tuple[Trick, ...] = ()
    history: str = ""
    shown: tuple[tuple[Seat, Hand], ...] = ()

    @property
    def to_act(self) -> Seat:
        """The leader of the trick, then the next seats."""
        return (self.leader + len(self.trick)) % 3

    def legal_actions(self, seat: Seat) -> LegalActions:
        """The cards that the trick allows, the first one with a poignée or without."""
        hand = self.hands[seat]
        cards = playable(hand, self.trick)
        if self.tricks:
            return OneOf(cards)
        return FirstCard(cards, hand, self.deal.sheet.options.poignee_sizes)

    def question(self, seat: Seat) -> TarotQuestion:
        """The seat's own hand and everything played and shown."""
        return deal_question(
            self.deal,
            self.hands,
            seat,
            "play",
            playable(self.hands[seat], self.trick),
            shown="/".join(f"{who}:{','.join(cards)}" for who, cards in self.shown) or "-",
            history=self.history or "-",
            trick=trick_text(self.leader, self.trick),
        )

    def read(self, line: str) -> Action:
        """Read a card, or a card and a poignée: `A7 show A1,A2,...`."""
        text = plain(line)
        if (card := card_named(text)) is not None:
            return card
        first, *rest = re.split("[ \t]+", text)
        card = card_named(first)
        if card is None or len(rest) != 2 or rest[0] != "SHOW":
            raise MalformedAnswer(NO_CARD, line)
        return Poignee(card, self._read_poignee(line, rest[1]))

    def _read_poignee(self, line: str, text: str) -> frozenset[Card]:
        named = [card_named(name) for name in text.split(",")]
        cards = frozenset(card for card in named if card is not None)
        sizes = self.deal.sheet.options.poignee_sizes
        if None in named or len(cards) < len(named) or len(cards) not in sizes:
            raise MalformedAnswer(NO_POIGNEE, line, sizes=list(sizes))
        return cards

    def write(self, action: Action) -> str:
        """Write a card, and the poignée where one is shown."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Play a card; the last one of a deal ends it."""
        if action not in self.legal_actions(self.to_act):
            raise illegal(self, action)
        following = self.after(action)
        if following.trick or following.hands[following.leader]:
            return following, ()
        return following._settled()

    def after(self, action: Action) -> Playing:
        """The table when this has been played: the trick is taken as soon as it is complete."""
        deal, hands, leader, trick, tricks, history, shown = self
        seat = (leader + len(trick)) % 3
        if isinstance(action, Poignee):
            shown, action = (*shown, (seat, in_order(action.shown))), action.card
        assert isinstance(action, Card), "a seat plays a card"
        hands = replaced(hands, seat, without(hands[seat], action))
        trick = (*trick, action)
        if len(trick) < 3:
            return Playing(deal, hands, leader, trick, tricks, history, shown)
        winner = (leader + winning_place(trick)) % 3
        if trick[0] == EXCUSE and self._ends_a_chelem():
            winner = leader
        history = with_trick(history, leader, trick)
        tricks = (*tricks, Trick(leader, trick, winner))
        return Playing(deal, hands, winner, (), tricks, history, shown)

    def _ends_a_chelem(self) -> bool:
        """Whether the taker leads to the last trick having taken all before."""
        taker = self.deal.taker
        return len(self.tricks) == TRICKS - 1 and all(t.winner == taker for t in self.tricks)

    def result(self) -> DealResult:
        """The result of a finished deal (rule b.6)."""
        deal, options = self.deal, self.deal.sheet.options
        tricks, taker = self.tricks, deal.taker
        return result(
            deal.call.contract,
            taker_count(tricks, taker, deal.aside, options.excuse_last),
            poignees=sum(
                POIGNEES[options.poignee_sizes.index(len(cards))] for _, cards in self.shown
            ),
            petit=petit_au_bout(tricks, taker),
            chelem=chelem(
                tricks,
                taker,
                by_taker=deal.call.chelem,
                by_defence=bool(deal.defence_announced),
            ),
            reach=options.reach,
            halves=options.half_points,
        )

    def projected_price(self) -> int:
        """The price if the taker wins just the points needed, or no more where that is impossible.

        It counts the bouts won so far, and no poignée, petit or chelem.
        """
        deal, options = self.deal, self.deal.sheet.options
        won = taker_count(self.tricks, deal.taker, deal.aside, options.excuse_last)
        in_play = (*chain(*self.hands), *self.trick)
        missing = max(0, 2 * NEEDED[won.bouts] - won.half_points)
        half_points = won.half_points + min(missing, sum(HALF_POINTS[card] for card in in_play))
        return result(
            deal.call.contract,
            Count(half_points, won.bouts),
            halves=options.half_points,
        ).price

    def _settled(self) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Enter the scores and proceed to the next deal."""
        deal, result = self.deal, self.result()
        sheet, taker = deal.sheet, deal.taker
        gained = marks(taker, result.price)
        sheet = sheet._replace(
            scores=tuple(a + b for a, b in zip(sheet.scores, gained, strict=True)),
            played=sheet.played + 1,
            won=tuple(won + ((seat == taker) == result.made) for seat, won in enumerate(sheet.won)),
        )
        notices = DealOver(
            number=sheet.number,
            taker=taker,
            contract=str(deal.call),
            points=points_text(result.counted.half_points),
            bouts=result.counted.bouts,
            marks=numbers(gained),
            history=self.history,
        )
        if sheet.number == sheet.options.deals:
            return _over(sheet), (notices,)
        return Shuffling(sheet.next_deal(), self), (notices,)
