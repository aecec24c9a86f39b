"""A position as people see it: the cards held, the seat to act, the stakes.

A terminal and a web page draw the same scene, and neither knows the game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from card_arena.tables.cards import HIDDEN, SUIT_SIGNS, Card


@dataclass(frozen=True, slots=True)
class Shown:
    """One card on the table; `face_down` if the players don't see it."""

    card: Card
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One place at the table.

    `seat` is -1 for the dealer. `cards` are its cards: open on the table, or, with `in_hand`, in a
    hidden hand. `played` is what it has played to this trick. `facts` are labelled values such as
    ("chips", "190"). `status` is a word or two ("stands", "bust") or empty. `to_act` marks the
    place whose turn it is, `took` the one that took the last trick, until somebody leads again.
    """

    seat: int
    cards: tuple[Shown, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    status: str = ""
    to_act: bool = False
    in_hand: bool = False
    played: tuple[Shown, ...] = ()
    took: bool = False


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together in the middle of the table: the dog, an attack and what beat it.

    `label` may be empty if the game needs no word for them. `holder` is the seat that knows its
    face-down cards.
    """

    label: str
    cards: tuple[Shown, ...]
    holder: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """Seats that win and lose together: their score, and labelled values such as ("bid", "6")."""

    seats: tuple[int, ...]
    score: int
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage within a part of the game, counted from 1: trick 4 of 13."""

    unit: str
    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.unit} {self.number} of {self.count}"


@dataclass(frozen=True, slots=True)
class SuitBid:
    """A bid that names a suit, as people write it: `10♠` is "10" and "S".

    `suit` is empty for a bid without trumps; `more` is what people say after the suit.
    """

    level: str
    suit: str
    more: str = ""

    def __str__(self) -> str:
        return self.level + SUIT_SIGNS.get(self.suit, "") + self.more


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole table.

    `title` says where in the game we are ("hand 3 of 5") and stays the same for as long as a
    reader would call it one hand, round or deal, and `stage` where in that part. `facts` are
    labelled values of the whole table ("contract", "10 of spades"); `piles` what lies in the
    middle. `sides` are those of a game of partners, where scores belong to sides.
    """

    title: str
    places: tuple[Place, ...]
    facts: tuple[tuple[str, str], ...] = ()
    piles: tuple[Pile, ...] = ()
    sides: tuple[Side, ...] = ()
    stage: Stage | None = None

    def seen_by(self, seat: int | None) -> Scene:
        """The scene with `HIDDEN` for every card that this seat does not see; None is a spectator.

        A seat sees its own hand and what lies open, and a face-down pile that it holds.
        """
        return replace(
            self,
            places=tuple(
                replace(place, cards=_seen(place.cards, not place.in_hand or place.seat == seat))
                for place in self.places
            ),
            piles=tuple(
                replace(pile, cards=_seen(pile.cards, True))
                if pile.holder != seat or seat is None
                else pile
                for pile in self.piles
            ),
        )


def _seen(cards: tuple[Shown, ...], is_open: bool) -> tuple[Shown, ...]:
    return tuple(
        shown if is_open and not shown.face_down else Shown(HIDDEN, face_down=True)
        for shown in cards
    )
