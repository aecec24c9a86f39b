"""Partnership spades, as the paper *Bidding in Spades* plays it.

Seats 0 and 2 play against 1 and 3. Everybody gets 13 cards and bids once how many tricks she will
take, from the dealer's left round the table; 0 is nil, a bet that she takes none. Then 13 tricks
are played: suit must be followed, spades are always trump, and nobody leads a spade before one has
been played unless she holds nothing else. A side that takes the tricks it has bid scores ten for
each and one for every trick more, a bag; ten bags cost it 110 points. The higher score wins as
soon as a side has reached the goal or fallen too low.

docs/rules/spades.md has the rules under the numbers that comments cite, their sources, and each
unclear point: how it is read here, why, and which option reads it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from card_arena.tables.game import (
    Example,
    FallbackAction,
    Game,
    Phase,
    Presentation,
    Seat,
    Statistics,
    terms,
)
from card_arena.tables.spades.luck import luck
from card_arena.tables.spades.messages import RoundOver, SpadesQuestion
from card_arena.tables.spades.phases import Drawing, Shuffling
from card_arena.tables.spades.rendering import ending, projected_scores, remark, scene
from card_arena.tables.spades.rules import Options, Round, largest_margin
from card_arena.tables.tricks import part_of

_EXAMPLE_PACK = (
    "QC,8H,3C,9D,4C,3D,9C,6D,4S,AS,6H,9S,AD,TH,8S,2H,QH,KC,7C,TC,3H,3S,8D,6S,KH,QS,"
    "8C,QD,TD,AC,5D,2C,KD,9H,5S,KS,7H,JH,JD,6C,5H,JS,7D,5C,AH,2D,2S,4D,TS,4H,JC,7S"
)
_EXAMPLE_ANSWERS = """
5 5 0 2
AH 4H 6H 2H AD 2D JD 4D KH 8H JC 6S 2C 4C KC 9C 3S 2S KS 4S 5C QC AC 8C 3D 5D 6D TD
KD JS 8D 9D 9H 7D 7S 3H 6C TS QS 7C TH 3C QD QH 7H JH 5S TC 8S 9S 5H AS
"""


TERMS = terms(
    *("bid", "blind nil", "broken", "nil", "round", "trick"),
    bags="bag",
    bids="bid",
)
"""Words of the game, and their anchors in docs/rules/spades.md."""


class Spades(Game):
    """Two against two: bid how many tricks your side will take, then take them and few more."""

    name = "spades"
    title = "Spades"
    version = 2
    seats = range(4, 5)
    presentation = Presentation(
        scene, ending, remark, terms=TERMS, projected_scores=projected_scores
    )
    statistics = Statistics(
        luck,
        luck_helps=lambda _, duplicate: not duplicate,  # the rotations make up for the deal's luck
        part=part_of,
    )
    options = Options
    presets = MappingProxyType(
        {
            "standard": Options(),
            "paper": Options(goal=200, goal_test="exceeded"),
            "paper_500": Options(goal_test="exceeded", lose=0),
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
    notices = (RoundOver,)
    answers = MappingProxyType(
        {
            "n": "in phase `bid`: you will take n tricks, 0 to 13; 0 is nil",
            "BN": "in phase `blind`: you bid nil before you have seen your cards",
            "-": "in phase `blind`: no; you bid when you have seen your cards",
            "7H": "in phases `play` and `pass`: that card of your hand",
        }
    )
    fallback_actions = MappingProxyType({"bid": FallbackAction("1", "you bid one trick")})
    example = Example(
        options=Options(max_rounds=1),
        seats=4,
        cards=_EXAMPLE_PACK,
        answers=tuple(_EXAMPLE_ANSWERS.split()),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a game of as many rounds as it takes."""
        self.check_table(options, seats, purses)
        if options.first_dealer == "drawn":
            return Drawing(options)
        return Shuffling(Round(options, number=1, dealer=0))

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """Seats opposite each other are partners."""
        return (0, 2), (1, 3)

    def largest_margin(self, options: Options, seats: int) -> int:  # noqa: ARG002
        """The widest gap that does not end a game, and a last round that makes it wider."""
        return largest_margin(options)
