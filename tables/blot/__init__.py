"""Bazar blot, Armenian belote, as the paper *Agent for Bazar Blot* plays it.

Seats 0 and 2 play against 1 and 3 with 32 cards, eight each. The sides outbid each other: a bid
says how many tens of points its side will make, and in which suit as trumps or without any. Then
eight tricks are played: suit must be followed, a trump that was led must be beaten, and who has
none of the suit must trump. Runs and fours of a kind are announced with the first card and shown
with the second; the side with the best one counts all it has. The side that reaches 301 first
wins.

The readings of the rules that this file takes:

* With `first_dealer: drawn` four cards are turned over, one a seat from seat 0 on, and the highest
  deals; of equal ranks the one whose suit is higher (clubs, diamonds, hearts, spades).
* A deal that everybody passes counts for nobody; the next dealer deals.
* Who contras asks the two bidders in turn; nobody bids any more. Under `recontra_by: declarer`
  only the bidder is asked.
* Card points decide a contract with the last trick's ten, and are 252 for a side that took all
  tricks. So a bid of 26 needs a declaration even then; the paper's words, that a capot is worth 25
  and the bid whatever the bid was, are `capot_fulfils: any_bid`.
* A contract needs the points themselves, ten for each level, as in the paper's example, where 9
  clubs must score 90 or more. Its scoring compares rounded tens, by which 86 are enough: that is
  `fulfil: rounded`. The preset `paper` takes both as the scoring has them.
* A revoke ends the deal at once. The opponents score 16 and the declarations of both sides,
  belotes included: under `declare: auto` all that the hands were dealt, else what was announced.
  The contract counts for nothing, contra or not. The deal counts as played; the seat goes on.
* `revoke` is what a record tells in place of an illegal card. It is never allowed: as an answer it
  is an illegal card like any other, a fault, or whoever is about to lose more would give up.
* A declaration's cards are shown with its seat's card to the second trick, whoever has the better
  ones. The belote is announced, with both its cards, by the first of them that is played.
* Under `declare: bot` a bot announces what its hand allows or less, never more. The belote needs no
  word; it doesn't count where its cards are announced in a run or a four, unless they may overlap.
* A belote counts for a contract as every declaration does.
* `loser_belote: kept` holds for whoever would score nothing: bidders who fail, and the losers of a
  doubled contract; not for a side that revoked.
* A side wins a deal by scoring more in it than the other. After `max_deals` the higher score wins,
  and equal ones are a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from tables.blot.messages import BlotQuestion, DealOver
from tables.blot.phases import Drawing, Shuffling
from tables.blot.rendering import remarks, scene
from tables.blot.rules import Options
from tables.blot.score_sheet import ScoreSheet
from tables.game import Example, Game, Over, Phase, Seat
from tables.scene import Scene

_EXAMPLE_PACK = (
    "QS,QD,AD,JH,AC,AH,QC,TS,8C,JD,TH,QH,9H,9D,8D,KC,"
    "TD,KS,KH,7S,8H,JS,9S,JC,TC,7C,9C,7H,7D,8S,KD,AS"
)
_EXAMPLE_ANSWERS = """
P 10S P P P 13S P P P P
KS JS TH AS 9S TC 8S QS TS QH KD 7S AH 7H 9H KH
AC 9C KC AD QC 8C 9D TD JC 7C 8D QD 8H JD 7D JH
"""


class Blot(Game):
    """Two against two: outbid the other side, then take the points you have promised."""

    name = "blot"
    title = "Bazar Blot"
    version = 1
    seats = range(4, 5)
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
    news = (DealOver,)
    answers = MappingProxyType(
        {
            "P": "in the auction: pass; you may bid later",
            "10S": "in the auction: your side makes 100 points with spades as trumps; C, D, H, S,"
            " or N for no trumps",
            "25Hc": "in the auction: the same, and all eight tricks (capot)",
            "X": "in the auction: contra, where the other side's bid stands",
            "XX": "in the auction: recontra, as an answer to a contra",
            "7H": "in play: that card of your hand",
            "7H+4T": "in play with `declare: bot`, with your first card: the card, and four of a"
            " kind and a tierce announced; the letters are those of the question",
        }
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
        """Who sits opposite each other plays together."""
        return (0, 2), (1, 3)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the four hands, the auction or the trick on the table, and the points."""
        return scene(phase)

    def remark(self, before: Phase, after: Phase | Over, names: Sequence[str]) -> str:
        """Tell who plays what, what is announced, who takes a trick and what a deal came to."""
        return "; ".join(remarks(before, after, names))
