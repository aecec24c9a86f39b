"""Bazar blot, Armenian belote, as the paper *Agent for Bazar Blot* plays it.

Seats 0 and 2 play against 1 and 3 with 32 cards, eight each. The sides outbid each other: a bid
says how many tens of points its side will make, and in which suit as trumps or without any. Then
eight tricks are played: suit must be followed, a trump that was led must be beaten, and a seat with
none of the suit must trump. Runs and fours of a kind are announced with the first card and shown
with the second; the side with the best one counts all it has. The side that reaches 301 first
wins.

docs/rules/blot.md has the rules under the numbers that comments cite, their sources, and each
unclear point: how it is read here, why, and which option reads it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from card_arena.tables.blot.luck import luck
from card_arena.tables.blot.messages import BlotQuestion, DealOver
from card_arena.tables.blot.phases import Drawing, Shuffling
from card_arena.tables.blot.rendering import ending, projected_scores, remark, scene, suit_bid
from card_arena.tables.blot.rules import (
    HIGHEST_DECLARED,
    HIGHEST_LEVEL,
    Options,
    ScoreSheet,
    highest_factor,
)
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
from card_arena.tables.tricks import part_of

_EXAMPLE_PACK = (
    "QS,QD,AD,JH,AC,AH,QC,TS,8C,JD,TH,QH,9H,9D,8D,KC,"
    "TD,KS,KH,7S,8H,JS,9S,JC,TC,7C,9C,7H,7D,8S,KD,AS"
)
_EXAMPLE_ANSWERS = """
P 10S P P P 13S P P P P
KS JS TH AS 9S TC 8S QS TS QH KD 7S AH 7H 9H KH
AC 9C KC AD QC 8C 9D TD JC 7C 8D QD 8H JD 7D JH
"""


TERMS = terms(
    *("belote", "bid", "capot", "contra", "contract", "fifty", "four of a kind", "hundred"),
    *("no-trump", "recontra", "tierce", "trick"),
    revoked="revoke",
    revokes="revoke",
)
"""Words of the game, and their anchors in docs/rules/blot.md."""


class Blot(Game):
    """Two against two: outbid the other side, then take the points you have promised."""

    name = "blot"
    title = "Bazar Blot"
    version = 2
    seats = range(4, 5)
    presentation = Presentation(
        scene, ending, remark, suit_bid, terms=TERMS, projected_scores=projected_scores
    )
    statistics = Statistics(luck, luck_helps=lambda *_: True, part=part_of)
    options = Options
    presets = MappingProxyType(
        {
            "standard": Options(),
            "short": Options(target=101),
            "one_deal": Options(max_deals=1, first_dealer="seat_0"),
            "paper": Options(
                ruff_partner_winning="must",
                top_card="low",
                fulfil="rounded",
                capot_fulfils="any_bid",
                no_trump_double="4/8",
            ),
            "blot_star": Options(
                auction_end="three_passes",
                recontra_by="declarer",
                capot_level=8,
                belote_overlap=True,
                defenders_share="rounded",
            ),
        }
    )
    sample = (
        *("blot", "bid", "P,X,10+", "2", "3", "KS,TS,9S,JH,9D,8D,7D,AC"),
        *("8S,9C", "9C@1", "-", "-", "-", "0,0", "0,0", "301"),
    )
    questions = (BlotQuestion,)
    notices = (DealOver,)
    answers = MappingProxyType(
        {
            "P": "in the auction: pass; you may bid later",
            "10S": "in the auction: your side makes 100 points with spades as trumps; C, D, H, S,"
            " or N for no trumps",
            "25Hc": "in the auction: the same, and all eight tricks (capot)",
            "X": "in the auction: contra, when the other side's bid stands",
            "XX": "in the auction: recontra, as an answer to a contra",
            "7H": "in play: that card of your hand",
            "7H+4T": "in play with `declare: bot`, as your first card: the card, announcing four"
            " of a kind and a tierce; the letters are those of the question",
        }
    )
    fallback_actions = MappingProxyType(
        {"play": FallbackAction("", "a card that is missing or not allowed loses the deal")}
    )
    example = Example(
        options=Options(max_deals=1, first_dealer="seat_0"),
        seats=4,
        cards=_EXAMPLE_PACK,
        answers=tuple(_EXAMPLE_ANSWERS.split()),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a game of as many deals as it takes."""
        self.check_table(options, seats, purses)
        if options.first_dealer == "drawn":
            return Drawing(options)
        return Shuffling(ScoreSheet(options, dealer=0))

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """Seats opposite each other are partners."""
        return (0, 2), (1, 3)

    def largest_margin(self, options: Options, seats: int) -> int:  # noqa: ARG002
        """The widest gap that does not end a game, and the highest score of a last deal."""
        deal = HIGHEST_LEVEL * highest_factor(options) + 25 + HIGHEST_DECLARED // 10
        return min(options.target - 1, (options.max_deals - 1) * deal) + deal
