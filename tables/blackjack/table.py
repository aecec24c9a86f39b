"""The state of a blackjack table, and its options.

Rules are cited from docs/rules/blackjack.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from card_arena.tables.cards import FULL_PACK, Card
from card_arena.tables.game import CHANCE, Seat, TableOptions, Terminal

BUY_IN = 10
_LEAST = {"at_least_10": BUY_IN, "over_10": 11, "over_20": 21}
WORTH = dict.fromkeys("TJQK", 10) | {rank: int(rank) for rank in "23456789"} | {"A": 1}
"""What a card counts by its rank, an ace as 1."""
_COUNTS = {card: WORTH[card.rank] for card in FULL_PACK}
_ACES = frozenset(card for card in FULL_PACK if card.rank == "A")


def score(cards: Sequence[Card]) -> int:
    """The best total of these cards that is not over 21, or 0 if there is none.

    An ace counts 11 if that fits, else 1: `A9A` is 21, `KQ2` is 0.
    """
    points = total(cards)
    return points if points <= 21 else 0


def total(cards: Sequence[Card]) -> int:
    """The total of these cards, even over 21: `A9A` is 21, `KQ2` is 22."""
    points = sum(map(_COUNTS.__getitem__, cards))
    return points + 10 if points <= 11 and not _ACES.isdisjoint(cards) else points


class Options(TableOptions):
    """The table's choice wherever the contest's text can be read in more than one way."""

    start_chips: int = Field(
        200, ge=0, le=1_000_000, description="the chips that every seat begins with"
    )
    hands: int = Field(5, ge=1, le=1000, description="the number of hands in a round")
    dealer_stands_at: Literal[17, 18] = Field(17, description="the dealer draws below this score")
    push: Literal["lose", "return"] = Field(
        "lose", description="what happens to the stake when bot and dealer score the same"
    )
    buy_in_per: Literal["hand", "round"] = Field(
        "hand", description="whether ten chips are paid for every hand or once a round"
    )
    afford: Literal["at_least_10", "over_10", "over_20"] = Field(
        "at_least_10", description="how many chips a seat must have to be dealt in"
    )
    visible_scope: Literal["hand", "round"] = Field(
        "hand", description="whether the visible cards start again with every hand"
    )
    visible_order: Literal["up_first", "hidden_first"] = Field(
        "up_first", description="which of the dealer's two cards is named first"
    )
    deal_order: Literal["players_first", "dealer_first"] = Field(
        "players_first", description="who is dealt to first"
    )
    shoe: Literal["round", "exhausted", "hand"] = Field(
        "round",
        description="how long a pack is used: for one round, or to its last card, even in the"
        " next round of the leg at the same table, or for one hand",
    )
    turns: Literal["passes", "whole"] = Field(
        "passes",
        description="the order of moves: every seat moves once in each pass round the table, or"
        " moves until it stands or is bust before the next one does",
    )
    letters: Literal["upper", "lower"] = Field(
        "upper", description="whether cards are written in capital or small letters"
    )
    unaffordable_double: Literal["stand", "allowed"] = Field(
        "stand", description="a D with fewer chips than the stake is not allowed, or is on credit"
    )
    bet_zero: Literal["stand", "nothing"] = Field(
        "stand", description="a B 0 is not allowed, or changes nothing and the bot is asked again"
    )
    fractions: Literal["truncate", "malformed"] = Field(
        "truncate", description="whether B 107.14 means 107 or is no answer at all"
    )
    answers: Literal["lenient", "strict"] = Field(
        "lenient", description="whether small letters and blanks around an answer are accepted"
    )
    move_cap: int = Field(
        100,
        ge=0,
        le=10_000,
        description="how many answers a seat has in a hand before it stands; 0: no limit",
    )

    @model_validator(mode="after")
    def _comes_to_an_end(self) -> Self:
        if self.bet_zero == "nothing" and not self.move_cap:
            raise ValueError("bet_zero: nothing needs a move_cap, else a bot may answer for ever")
        return self


class State(StrEnum):
    """How a seat stands in this hand."""

    OUT = "sits out"
    PLAYING = ""
    STANDING = "stands"
    BUST = "bust"


class Spot(NamedTuple):
    """A seat's place at the table.

    `moves` are its answers in this hand; `score` is that of its cards, kept as it is needed often.
    """

    chips: int
    stake: int = 0
    cards: tuple[Card, ...] = ()
    state: State = State.PLAYING
    moves: int = 0
    score: int = 0

    def dealt(self, *more: Card) -> Spot:
        """The same place with more cards: over 21 it is bust."""
        chips, stake, cards, state, moves, _ = self
        cards += more
        points = score(cards)
        return Spot(chips, stake, cards, state if points else State.BUST, moves, points)


class Round(NamedTuple):
    """The state that lasts from one hand to the next.

    `number` is the hand's, 0 before the first. `brought` (the chips at the start), `hands` (the
    number dealt) and `won` have one entry per seat. `earlier` is the visible cards of earlier hands
    for `visible_scope: round`.
    """

    options: Options
    brought: tuple[int, ...]
    hands: tuple[int, ...]
    won: tuple[int, ...]
    number: int = 0
    earlier: str = ""


class Table(NamedTuple):
    """Everything on the table, including the face-down cards and the rest of the pack.

    `pack` is the shuffled pack, or what the previous round left of it, and `drawn` how many of
    these cards are gone. `dealt` are the ranks of all cards of this hand in the order they were
    dealt, except the dealer's first two.
    """

    round: Round
    spots: tuple[Spot, ...]
    pack: tuple[Card, ...] = ()
    drawn: int = 0
    dealer: tuple[Card, ...] = ()
    dealt: str = ""

    def visible(self, *, turned: bool) -> str:
        """Name the public cards of this hand, with the hidden one turned over or not."""
        options = self.round.options
        up, hidden = self.dealer[0].rank, self.dealer[1].rank if turned else "#"
        if options.visible_order == "hidden_first":
            up, hidden = hidden, up
        return lettered(options, up + hidden + self.dealt)

    def deal(self, due: tuple[Seat, ...]) -> tuple[Table, tuple[Seat, ...]]:
        """Give a card to each place that is `due` one; return those that wait for a new pack."""
        if not due:
            return self, ()
        round, spots, pack, drawn, dealer, dealt = self
        cards = pack[drawn : drawn + len(due)]
        got: dict[Seat, list[Card]] = {}
        for seat, card in zip(due, cards, strict=False):
            if seat != CHANCE or len(dealer) >= 2:
                dealt += card.rank
            if seat in got:
                got[seat].append(card)
            else:
                got[seat] = [card]
        dealer += tuple(got.pop(CHANCE, ()))
        places = list(spots)
        for seat, more in got.items():
            places[seat] = places[seat].dealt(*more)
        count = len(cards)
        return Table(round, tuple(places), pack, drawn + count, dealer, dealt), due[count:]

    def played_by_dealer(self) -> Table:
        """The dealer's draws (rule b.7), as far as there are cards."""
        round, spots, pack, drawn, dealer, dealt = self
        for card in pack[drawn:]:
            if not 0 < score(dealer) < round.options.dealer_stands_at:
                break
            dealer, dealt, drawn = (*dealer, card), dealt + card.rank, drawn + 1
        return Table(round, spots, pack, drawn, dealer, dealt)

    def settled(self) -> Table:
        """Pay the winners (rule b.8): twice the stake for a score above the dealer's."""
        round, spots, pack, drawn, dealer, dealt = self
        options, brought, hands, won, number, earlier = round
        house, push, standing = score(dealer), options.push == "return", State.STANDING
        paid, wins = [], []
        for (chips, stake, cards, state, moves, points), before in zip(spots, won, strict=True):
            own = points if state is standing else -1
            if own > house:
                chips += 2 * stake
            elif own == house and push:
                chips += stake
            paid.append(Spot(chips, stake, cards, state, moves, points))
            wins.append(before + (own > house))
        round = Round(options, brought, hands, tuple(wins), number, earlier)
        return Table(round, tuple(paid), pack, drawn, dealer, dealt)

    def over(self) -> Terminal:
        """The result of the round."""
        round, chips = self.round, tuple(spot.chips for spot in self.spots)
        scores = tuple(now - then for now, then in zip(chips, round.brought, strict=True))
        left = self.pack[self.drawn :] if round.options.shoe == "exhausted" else ()
        return Terminal(scores, round.hands, round.won, purses=chips, shoe=tuple(map(str, left)))


def lettered(options: Options, ranks: str) -> str:
    """Write ranks in the letters of this table."""
    return ranks if options.letters == "upper" else ranks.lower()


def affords(options: Options, chips: int) -> bool:
    """Say whether a seat with these chips is dealt in."""
    return chips >= _LEAST[options.afford]
