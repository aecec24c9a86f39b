"""What is settled while French tarot is played: the table's options, the scores, and the deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from tables.cards import TRUMP
from tables.game import Seat
from tables.options import HandOptions
from tables.tarot.legal import Hand
from tables.tarot.scoring import Halves, LastExcuse, Reach

SEATS = range(3)
CONTRACTS = ("petite", "garde", "sans", "contre")
PASS = "pass"


class Options(HandOptions):
    """The table's choice wherever French clubs play differently."""

    deals: int = Field(
        12,
        ge=1,
        le=1000,
        description="the number of deals in a game; with a multiple of 3 all deal equally often",
    )
    petite: bool = Field(
        True, description="whether a petite may be bid; otherwise bids begin at garde"
    )
    chelem_by: Literal["taker", "any"] = Field(
        "taker",
        description="who may announce all tricks: the taker, or the others too, with a pass",
    )
    trump_discards: Literal["forced", "never"] = Field(
        "forced",
        description="whether a taker with too few other cards puts trumps away for all to see, or"
        " the deal is annulled",
    )
    poignees: Literal["13/15/18", "10/13/15"] = Field(
        "13/15/18", description="how many trumps a single, double and triple poignée show"
    )
    petit_sec: Literal["annul", "ignore"] = Field(
        "annul", description="what happens to a deal in which the petit is somebody's only trump"
    )
    redeals: int = Field(
        10,
        ge=0,
        le=100,
        description="after how many redeals a deal that all pass counts as nothing; 0: at once",
    )
    dog: Literal["shown", "hidden"] = Field(
        "shown", description="whether all see the dog of a petite or a garde"
    )
    excuse_last: LastExcuse = Field(
        "changes_side", description="who gets the Excuse when it is played to the last trick"
    )
    reach: Reach = Field(
        "at_least", description="whether the needed points suffice or must be exceeded"
    )
    half_points: Halves = Field(
        "rounded",
        description="whether half a point goes to the winner or is kept; then scores have half"
        " points, too",
    )

    @property
    def poignee_sizes(self) -> tuple[int, ...]:
        """The number of trumps in each of the three kinds of poignée."""
        return tuple(map(int, self.poignees.split("/")))


class Call(NamedTuple):
    """A bid: `pass` or a contract, and whether all tricks are announced with it."""

    contract: str
    chelem: bool = False

    def __str__(self) -> str:
        return self.contract + "!" * self.chelem


class ScoreSheet(NamedTuple):
    """The score sheet from one deal to the next.

    `again` counts how often the deal with this number was annulled; `played` the deals that had a
    taker, and `won` by seat those it won.
    """

    options: Options
    dealer: Seat
    number: int = 1
    again: int = 0
    scores: tuple[int, ...] = (0, 0, 0)
    played: int = 0
    won: tuple[int, ...] = (0, 0, 0)

    @property
    def first(self) -> Seat:
        """The seat after the dealer, which bids first."""
        return (self.dealer + 1) % 3

    def calls_text(self, calls: Sequence[Call]) -> str:
        """Write the bids by seat: `-,garde,pass`."""
        by_seat = ["-"] * 3
        for turn, call in enumerate(calls):
            by_seat[(self.first + turn) % 3] = str(call)
        return ",".join(by_seat)

    def next_deal(self) -> ScoreSheet:
        """The same scores before the next deal, by the next dealer."""
        return self._replace(dealer=self.first, number=self.number + 1, again=0)


class Deal(NamedTuple):
    """The state that lasts from the end of the bidding to the last trick: the contract and the dog.

    `call` is the taker's bid. `discard` is what he has put away, empty under sans and contre.
    """

    sheet: ScoreSheet
    calls: tuple[Call, ...]
    taker: Seat
    call: Call
    dog: Hand
    discard: Hand = ()

    @property
    def takes_dog(self) -> bool:
        """Whether the taker takes the dog in hand."""
        return self.call.contract in ("petite", "garde")

    @property
    def defence_announced(self) -> tuple[Seat, ...]:
        """The defenders who have announced all tricks, in the order of their bids."""
        return tuple(
            (self.sheet.first + turn) % 3
            for turn, call in enumerate(self.calls)
            if call.chelem and call.contract == PASS
        )

    @property
    def leads(self) -> Seat:
        """The leader of the first trick: a seat that announced all tricks, else the first."""
        if self.call.chelem:
            return self.taker
        return (*self.defence_announced, self.sheet.first)[0]

    @property
    def aside(self) -> Hand:
        """The cards that count for the taker without having been played."""
        if self.takes_dog:
            return self.discard
        return self.dog if self.call.contract == "sans" else ()

    def dog_seen_by(self, seat: Seat) -> Hand:
        """The dog, as far as this seat has seen it."""
        seen = self.takes_dog and (seat == self.taker or self.sheet.options.dog == "shown")
        return self.dog if seen else ()

    def discard_seen_by(self, seat: Seat) -> Hand:
        """The discard, as far as this seat has seen it: the others see the trumps."""
        if seat == self.taker:
            return self.discard
        return tuple(card for card in self.discard if card.suit == TRUMP)
