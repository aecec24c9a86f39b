"""The phases of French tarot: bids, the discard and the play, each as the rules say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tables.cards import EXCUSE, TAROT_PACK, Card, listed
from tables.choices import Action, Choice, OneOf, Pick
from tables.game import (
    IllegalAction,
    MalformedAnswer,
    News,
    Over,
    Phase,
    Seat,
)
from tables.phases import Shuffle
from tables.tarot.legal import (
    DOG,
    FirstCard,
    Hand,
    Poignee,
    card_named,
    dealt,
    discards,
    in_order,
    is_petit_sec,
    playable,
    winning_place,
)
from tables.tarot.scoring import (
    POIGNEES,
    TRICKS,
    Result,
    Trick,
    chelem,
    marks,
    petit_au_bout,
    points_text,
    result,
    taker_pile,
)
from tables.tarot.sheet import CONTRACTS, PASS, SEATS, Call, Deal, Match, Options
from tables.tarot.told import DealOff, DealOver, TarotQuestion
from tables.tricks import replaced, trick_text, without
from tables.wording import quoted

Hands = tuple[Hand, ...]


def _open_hands(options: Options, hands: Hands) -> str | None:
    return "/".join(map(listed, hands)) if options.open_hands else None


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """A deal is to be dealt; `last` is the one before it as it ended."""

    match: Match
    last: Bidding | Discarding | Playing | None = None

    @property
    def pack(self) -> tuple[Card, ...]:
        """The 78 cards of tarot."""
        return TAROT_PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Deal from the dealer's neighbour on, and look for a petit sec (rule a)."""
        match = self.match
        by_turn, dog = dealt(order)
        hands = tuple(by_turn[(seat - match.first) % 3] for seat in SEATS)
        bidding = Bidding(match, hands, dog)
        if match.options.petit_sec == "annul" and any(map(is_petit_sec, hands)):
            return _annulled(bidding, match, "petit")
        return bidding, ()


def _annulled(
    last: Bidding | Discarding, match: Match, why: str
) -> tuple[Phase | Over, Sequence[News]]:
    """Put the cards of a deal that came to nothing together; the next dealer deals it again."""
    news = DealOff(match.number, why)
    return Shuffling(match._replace(dealer=match.first, again=match.again + 1), last), (news,)


class Bidding(NamedTuple):
    """A seat bids, or passes; everybody is asked once (rule b.1)."""

    match: Match
    hands: Hands
    dog: Hand
    calls: tuple[Call, ...] = ()

    @property
    def to_act(self) -> Seat:
        """The next one from the dealer's neighbour on."""
        return (self.match.first + len(self.calls)) % 3

    def _bids(self) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.contract != PASS)

    def _allowed(self) -> tuple[Call, ...]:
        options, bids = self.match.options, self._bids()
        lowest = CONTRACTS.index(bids[-1].contract) + 1 if bids else 0
        names = (PASS, *CONTRACTS[max(lowest, not options.petite) :])
        announced = names if options.chelem_by == "any" else names[1:]
        return (*map(Call, names), *(Call(name, chelem=True) for name in announced))

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """Pass, or bid higher than everybody before."""
        return OneOf(self._allowed())

    def question(self, seat: Seat) -> TarotQuestion:
        """The own hand and the bids before."""
        match = self.match
        return TarotQuestion(
            game="tarot",
            phase="bid",
            legal=",".join(map(str, self._allowed())),
            seat=seat,
            dealer=match.dealer,
            hand=listed(self.hands[seat]),
            bids=match.calls_text(self.calls),
            taker="-",
            contract="-",
            dog="-",
            discard="-",
            shown="-",
            history="-",
            trick="-",
            scores=",".join(map(str, match.scores)),
            deal=f"{match.number}/{match.options.deals}",
            hands=_open_hands(match.options, self.hands),
        )

    def read(self, line: str) -> Action:
        """Read a bid, with `!` behind it for the chelem."""
        text = line.strip(" \t")
        name = text.removesuffix("!").lower()
        if not text.isascii() or name not in (PASS, *CONTRACTS):
            raise MalformedAnswer(
                f"'{quoted(line)}' is not a bid: expected pass, petite, garde, sans or contre,"
                " with ! behind it for the chelem"
            )
        return Call(name, text.endswith("!"))

    def write(self, action: Action) -> str:
        """Write a bid: `garde!`."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Note the bid; after the third the highest bidder is the taker (rules b.1 to b.3)."""
        legal = self.legal_actions(self.to_act)
        if not isinstance(action, Call) or action not in legal:
            raise _illegal(action, legal)
        following = self._replace(calls=(*self.calls, action))
        if len(following.calls) < 3:
            return following, ()
        return following._closed()

    def _closed(self) -> tuple[Phase | Over, Sequence[News]]:
        match, bids = self.match, self._bids()
        if not bids:
            return self._all_passed()
        call = bids[-1]
        taker = (match.first + self.calls.index(call)) % 3
        deal = Deal(match, self.calls, taker, call, self.dog)
        if not deal.takes_dog:
            return Playing(deal, self.hands, deal.leads), ()
        taken = in_order((*self.hands[taker], *self.dog))
        discarding = Discarding(deal, replaced(self.hands, taker, taken))
        if discards(taken, trumps=match.options.trump_discards == "forced") is None:
            return _annulled(discarding, match, "discard")
        return discarding, ()

    def _all_passed(self) -> tuple[Phase | Over, Sequence[News]]:
        match = self.match
        if match.again < match.options.redeals:
            return _annulled(self, match, "passed")
        news = (DealOff(match.number, "passed"),)
        if match.number == match.options.deals:
            return _over(match), news
        return Shuffling(match.next_deal(), self), news


def _illegal(action: Action, choice: Choice) -> IllegalAction:
    return IllegalAction(f"{action} is not allowed now: expected {choice.describe(str)}")


def _over(match: Match) -> Over:
    return Over(scores=match.scores, hands=(match.played,) * 3, won=match.won)


def _deal_question(
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
    """What a seat is asked once there is a taker."""
    match = deal.match
    return TarotQuestion(
        game="tarot",
        phase=phase,
        legal=",".join(legal),
        seat=seat,
        dealer=match.dealer,
        hand=listed(hands[seat]),
        bids=match.calls_text(deal.calls),
        taker=str(deal.taker),
        contract=str(deal.call),
        dog=listed(deal.dog_seen_by(seat)),
        discard=listed(deal.discard_seen_by(seat)),
        shown=shown,
        history=history,
        trick=trick,
        scores=",".join(map(str, match.scores)),
        deal=f"{match.number}/{match.options.deals}",
        hands=_open_hands(match.options, hands),
    )


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

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """Six cards, but neither kings nor bouts, nor trumps before the last other card."""
        return self._discards()

    def question(self, seat: Seat) -> TarotQuestion:
        """The taker's thirty cards."""
        return _deal_question(self.deal, self.hands, seat, "discard", self._discards().cards)

    def read(self, line: str) -> Action:
        """Read six different cards joined by commas."""
        named = [card_named(name) for name in line.strip(" \t").split(",")]
        cards = [card for card in named if card is not None]
        if len(cards) < len(named):
            raise MalformedAnswer(
                f"'{quoted(line)}' is not a discard: expected six cards joined by commas"
            )
        if len(cards) != DOG:
            raise MalformedAnswer(
                f"'{quoted(line)}' has {len(cards)} card{'s' * (len(cards) != 1)}: expected six"
            )
        if len(set(cards)) < DOG:
            raise MalformedAnswer(
                f"'{quoted(line)}' names a card twice: expected six different cards"
            )
        return frozenset(cards)

    def write(self, action: Action) -> str:
        """Write the six cards in the order of a hand."""
        assert isinstance(action, frozenset), "a discard is a set of cards"
        return ",".join(in_order(action))

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Put the cards away."""
        legal = self._discards()
        if not isinstance(action, frozenset) or action not in legal:
            raise IllegalAction(f"that can't be put away: expected {legal.describe(str)}")
        deal = self.deal._replace(discard=in_order(action))
        kept = tuple(card for card in self.hands[deal.taker] if card not in action)
        return Playing(deal, replaced(self.hands, deal.taker, kept), deal.leads), ()


class Playing(NamedTuple):
    """A seat plays a card, before its first one perhaps a poignée (rules b.4 and b.5).

    `leader` led to the cards of `trick`; `tricks` are finished, `history` is how they are told.
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

    def legal_actions(self, seat: Seat) -> Choice:
        """The cards that the trick allows, the first one with a poignée or without."""
        hand = self.hands[seat]
        cards = playable(hand, self.trick)
        if self.tricks:
            return OneOf(cards)
        return FirstCard(cards, hand, self.deal.match.options.poignee_sizes)

    def question(self, seat: Seat) -> TarotQuestion:
        """The own hand and all that has been played and shown."""
        return _deal_question(
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
        if (card := card_named(line)) is not None:
            return card
        first, *rest = re.split("[ \t]+", line.strip(" \t"))
        card = card_named(first)
        if card is not None and not rest:
            return card
        if card is None or len(rest) != 2 or rest[0].lower() != "show":
            raise MalformedAnswer(
                f"'{quoted(line)}' is not a card: expected one such as KS, A14 or EX,"
                " or a card, show and a poignée"
            )
        return Poignee(card, self._read_poignee(line, rest[1]))

    def _read_poignee(self, line: str, text: str) -> frozenset[Card]:
        named = [card_named(name) for name in text.split(",")]
        cards = frozenset(card for card in named if card is not None)
        sizes = self.deal.match.options.poignee_sizes
        if None in named or len(cards) < len(named) or len(cards) not in sizes:
            raise MalformedAnswer(
                f"'{quoted(line)}' shows no poignée: expected {', '.join(map(str, sizes[:-1]))} or"
                f" {sizes[-1]} different cards joined by commas"
            )
        return cards

    def write(self, action: Action) -> str:
        """Write a card, and the poignée where one is shown."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Play a card; the last one of a deal ends it."""
        legal = self.legal_actions(self.to_act)
        if action not in legal:
            raise _illegal(action, legal)
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
        told = trick_text(leader, trick)
        history = f"{history}/{told}" if history else told
        tricks = (*tricks, Trick(leader, trick, winner))
        return Playing(deal, hands, winner, (), tricks, history, shown)

    def _ends_a_chelem(self) -> bool:
        """Whether the taker leads to the last trick having taken all before."""
        taker = self.deal.taker
        return len(self.tricks) == TRICKS - 1 and all(t.winner == taker for t in self.tricks)

    def result(self) -> Result:
        """What a finished deal came to (rule b.6)."""
        deal, options = self.deal, self.deal.match.options
        tricks, taker = self.tricks, deal.taker
        return result(
            deal.call.contract,
            taker_pile(tricks, taker, deal.aside, options.excuse_last),
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

    def _settled(self) -> tuple[Phase | Over, Sequence[News]]:
        """Write the scores down and go on to the next deal."""
        deal, result = self.deal, self.result()
        match, taker = deal.match, deal.taker
        gained = marks(taker, result.price)
        match = match._replace(
            scores=tuple(a + b for a, b in zip(match.scores, gained, strict=True)),
            played=match.played + 1,
            won=tuple(won + ((seat == taker) == result.made) for seat, won in enumerate(match.won)),
        )
        news = DealOver(
            number=match.number,
            taker=taker,
            contract=str(deal.call),
            points=points_text(result.pile.half_points),
            bouts=result.pile.bouts,
            marks=",".join(map(str, gained)),
            history=self.history,
        )
        if match.number == match.options.deals:
            return _over(match), (news,)
        return Shuffling(match.next_deal(), self), (news,)
