"""What a seat can't know, game by game: another position that it can't tell from this one.

A function takes a position, the seat that is asked and a source of lots, and deals the cards that
this seat has not seen anew, consistently with everything public. `test_hidden_state.py` holds every
question against it. A game that comes along brings its function, and a line in `LOOK_ALIKES`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from card_arena.tables.blackjack.phases import Playing as BlackjackPlaying
from card_arena.tables.blot.phases import Playing as BlotPlaying
from card_arena.tables.blot.rules import BELOTE, Declaration
from card_arena.tables.cards import TRUMP, Card, cards
from card_arena.tables.durak.bout import in_order
from card_arena.tables.durak.phases import Asked
from card_arena.tables.spades.phases import GoingBlind
from card_arena.tables.tarot.phases import Bidding as TarotBidding
from card_arena.tables.tricks import sorted_hand

Arrange = Callable[[Sequence[Card]], Sequence[Card]]
LookAlike = Callable[[Any, int, random.Random], Any]


def dealt_anew(
    hands: Sequence[Sequence[Card]],
    hidden: Sequence[int],
    rng: random.Random,
    arrange: Arrange = tuple,
    known: Sequence[Card] = (),
) -> tuple[tuple[Card, ...], ...]:
    """The same hands, but for the cards of the `hidden` seats that are not `known`."""
    loose = [card for seat in hidden for card in hands[seat] if card not in known]
    rng.shuffle(loose)
    found = [tuple(hand) for hand in hands]
    for seat in hidden:
        kept = [card for card in hands[seat] if card in known]
        size = len(hands[seat]) - len(kept)
        found[seat] = tuple(arrange((*kept, *loose[:size])))
        loose = loose[size:]
    return tuple(found)


def others(seat: int, seats: int) -> list[int]:
    """All seats but this one."""
    return [other for other in range(seats) if other != seat]


def blackjack(phase: BlackjackPlaying, _: int, rng: random.Random) -> BlackjackPlaying:
    """The dealer's hidden card, and the order of the pack."""
    table = phase.table
    loose = [table.dealer[1], *table.pack[table.drawn :]]
    rng.shuffle(loose)
    dealer = (table.dealer[0], loose.pop(), *table.dealer[2:])
    pack = (*table.pack[: table.drawn], *loose)
    return phase._replace(table=table._replace(dealer=dealer, pack=pack))


def spades(phase: Any, seat: int, rng: random.Random) -> Any:
    """The others' hands, and before the cards are seen even the own one."""
    blind = isinstance(phase, GoingBlind)
    hidden = list(range(4)) if blind else others(seat, 4)
    return phase._replace(hands=dealt_anew(phase.hands, hidden, rng, sorted_hand))


def blot(phase: Any, seat: int, rng: random.Random) -> Any:
    """The others' hands, and what they declare as far as it is not public yet.

    What was announced but not shown keeps its class and gets other cards; what was not announced is
    exchanged for something else. A belote is not known before it is played.
    """
    hands = dealt_anew(phase.hands, others(seat, 4), rng)
    if not isinstance(phase, BlotPlaying):
        return phase._replace(hands=hands)
    declared = list(phase.declared)
    for other in others(seat, 4):
        public = [one for one in declared[other] if one.kind != BELOTE or one in phase.said(other)]
        played = 8 - len(phase.hands[other])
        if played == 0:
            declared[other] = (Declaration("H", cards("AC KC QC JC TC"), 100),)
        elif played == 1:
            declared[other] = tuple(
                one if one.kind == BELOTE else one._replace(cards=cards("AD KD QD"))
                for one in public
            )
        else:
            declared[other] = tuple(public)
    return phase._replace(hands=hands, declared=tuple(declared))


def tarot(phase: Any, seat: int, rng: random.Random) -> Any:
    """The others' hands, a dog that was not shown, and what the taker put away but for trumps."""
    hidden = others(seat, 3)
    hands = list(phase.hands)
    bidding = isinstance(phase, TarotBidding)
    taker = None if bidding else phase.deal.taker
    dog = phase.dog if bidding else phase.deal.dog
    discard = () if bidding else phase.deal.discard
    dog_hidden = bidding or not phase.deal.takes_dog
    loose = [card for other in hidden for card in hands[other]]
    secret = [c for c in discard if c.suit != TRUMP] if seat != taker else []
    loose += [*secret, *(dog if dog_hidden else ())]
    rng.shuffle(loose)
    # The trumps of a discard are public, so none may come into it.
    put = [card for card in loose if card.suit != TRUMP][: len(secret)]
    loose = [card for card in loose if card not in put]
    for other in hidden:
        size = len(hands[other])
        hands[other], loose = tuple(loose[:size]), loose[size:]
    if dog_hidden:
        dog = tuple(loose)
    if seat != taker:
        discard = (*(c for c in discard if c.suit == TRUMP), *put)
    if bidding:
        return phase._replace(hands=tuple(hands), dog=dog)
    deal = phase.deal._replace(dog=dog, discard=discard)
    return phase._replace(hands=tuple(hands), deal=deal)


def durak(phase: Asked, seat: int, rng: random.Random) -> Asked:
    """The others' hands and the talon, but for the trump card and the cards seen on the table."""
    bout = phase.bout
    seen = {*re.findall(r"[2-9TJQKA][CDHS]", bout.history), str(bout.trump)}
    talon = bout.talon[:-1]
    seats = len(bout.hands)
    # The talon sits down behind the others for a moment, to be dealt with them.
    hands = dealt_anew(
        (*bout.hands, talon),
        [*others(seat, seats), seats],
        rng,
        known=[card for card in sum(bout.hands, ()) if str(card) in seen],
    )
    arranged = tuple(in_order(hand, bout.trump.suit) for hand in hands[:seats])
    return phase._replace(
        bout=bout._replace(hands=arranged, talon=(*hands[seats], *bout.talon[-1:]))
    )


LOOK_ALIKES: dict[str, LookAlike] = {
    "blackjack": blackjack,
    "spades": spades,
    "blot": blot,
    "tarot": tarot,
    "durak": durak,
}
