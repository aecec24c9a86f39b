"""A question, parsed: what a seat is asked, and everything that it may know."""

from typing import NamedTuple

from lib.cards import cards


class Trick(NamedTuple):
    """Who led, and the cards in the order in which they were played."""

    leader: int
    cards: list


class Question(NamedTuple):
    """The words of a question; cards are numbers of `lib.cards`, seats are 0 to 2.

    `legal` holds bids as they are written, and cards otherwise. `taker` is None while there is
    none. `contract` has no `!`; `chelem` says whether the taker has announced one, and
    `defence_chelem` whether a defender has. `shown` are the poignées, each a seat and its cards.
    """

    phase: str
    legal: list
    seat: int
    dealer: int
    hand: list
    bids: list
    taker: int | None
    contract: str
    chelem: bool
    defence_chelem: bool
    dog: list
    discard: list
    shown: list
    history: list
    trick: Trick
    scores: list
    deal: int
    deals: int

    @property
    def alone(self):
        """Whether this seat is the taker."""
        return self.taker == self.seat

    @property
    def takes_dog(self):
        """Whether the taker has the dog in hand, and has put six cards away."""
        return self.contract in ("petite", "garde")

    @property
    def played(self):
        """Every card that lies or has lain on the table, in order."""
        return [card for trick in (*self.history, self.trick) for card in trick.cards]


def _tricks(word):
    """Read `0:KC,3C,2C/0:9S`; poignées are written in the same way."""
    if word == "-":
        return []
    told = [text.split(":") for text in word.split("/")]
    return [Trick(int(seat), cards(names)) for seat, names in told]


def parse(words):
    """Read the words of a question; a seventeenth, all hands of an open table, is left out."""
    (_, phase, legal, seat, dealer, hand, bids, taker, contract) = words[:9]
    (dog, discard, shown, history, trick, scores, deal) = words[9:16]
    number, deals = deal.split("/")
    calls = bids.split(",")
    return Question(
        phase=phase,
        legal=legal.split(",") if phase == "bid" else cards(legal),
        seat=int(seat),
        dealer=int(dealer),
        hand=cards(hand),
        bids=calls,
        taker=None if taker == "-" else int(taker),
        contract=contract.rstrip("!"),
        chelem=contract.endswith("!"),
        defence_chelem="pass!" in calls,
        dog=cards(dog),
        discard=cards(discard),
        shown=_tricks(shown),
        history=_tricks(history),
        trick=(_tricks(trick) or [Trick(int(seat), [])])[0],
        scores=[int(score) for score in scores.split(",")],
        deal=int(number),
        deals=int(deals),
    )
