"""French tarot for three, by the rules of the Fédération Française de Tarot.

Each gets 24 cards, and six lie in the dog. Everybody bids once. The highest bidder, the taker,
plays alone against the two others: under a petite or a garde he takes the dog and puts six cards
away in secret, under a garde sans the dog counts for him unseen and under a garde contre for the
defence. In 24 tricks suit must be followed, else trumped, and a trump must go over the highest one
of the trick where it can. The taker needs 56, 51, 41 or 36 points with no, one, two or three
bouts: the 21 and the 1 of trumps (the petit) and the Excuse.

docs/rules/tarot.md has the rules under the numbers that comments cite, their sources, and each
unclear point: how it is read here, why, and which option reads it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from card_arena.tables.cards import cards
from card_arena.tables.game import Example, Game, Phase, Presentation, Statistics, terms
from card_arena.tables.tarot.luck import luck
from card_arena.tables.tarot.messages import DealOff, DealOver, TarotQuestion
from card_arena.tables.tarot.observations import observations
from card_arena.tables.tarot.phases import Shuffling
from card_arena.tables.tarot.rendering import ending, projected_scores, remark, scene
from card_arena.tables.tarot.rules import BOUTS, DOG, Options, ScoreSheet, highest_price
from card_arena.tables.tricks import part_of

TERMS = terms(
    *("bid", "bout", "chelem", "contract", "discard", "dog", "garde", "garde contre", "garde sans"),
    *("petit", "petit sec", "petite", "poignée", "taker", "trick"),
    bouts="bout",
    contre="garde-contre",
    sans="garde-sans",
)
"""Words of the game, and their anchors in docs/rules/tarot.md."""


class Tarot(Game):
    """One player, the taker, plays alone against two with 78 cards, 21 of them trumps."""

    name = "tarot"
    title = "French tarot"
    version = 2
    seats = range(3, 4)
    presentation = Presentation(
        scene, ending, remark, framed=BOUTS, terms=TERMS, projected_scores=projected_scores
    )
    statistics = Statistics(
        luck,
        luck_helps=lambda _, duplicate: not duplicate,  # the rotations make up for the deal's luck
        part=part_of,
        observations=observations,
    )
    options = Options
    presets = MappingProxyType(
        {
            "official": Options(),
            "club": Options(petite=False),
            "short": Options(deals=3),
        }
    )
    sample = (
        *("tarot", "bid", "pass,garde,sans,contre,garde!,sans!,contre!", "1", "2"),
        "1C,4C,QC,3D,8D,ND,KD,2H,5H,6H,9H,JH,QH,1S,7S,A2,A5,A8,A11,A12,A16,A19,A21,EX",
        *("petite,-,-", "-", "-", "-", "-", "-", "-", "-", "0,0,0", "1/12"),
    )
    questions = (TarotQuestion,)
    notices = (DealOver, DealOff)
    answers = MappingProxyType(
        {
            "pass": "no bid; if all pass, the next dealer deals again",
            "petite, garde, sans, contre": "a bid, each higher than the one before, for"
            " 1, 2, 4 or 6 times the points. Under `petite` and `garde` the taker takes the dog,"
            " under `sans` it counts unseen for the taker, under `contre` for the others",
            "garde!": "the same, and the announcement that you will take all 24 tricks: +400 if you"
            " do, -200 if you don't. If that bid stands, you lead to the first trick",
            "pass!": "with `chelem_by: any`: no bid, and the announcement that your side will take"
            " all 24 tricks: the taker pays each of you 400 if it does, and gets 200 if not. You"
            " lead to the first trick, unless the taker or somebody before you has announced one",
            "1C,2C,TC,5D,8D,JD": "the six cards to put away, joined by commas without blanks: no"
            " kings or bouts, and trumps only if there are too few other cards",
            "KS": "a card",
            "A7 show A1,A2,...": "your first card of a deal, and before it a poignée of exactly 13,"
            " 15 or 18 of your trumps for all to see, joined by commas without blanks: 20, 30 or 40"
            " points for the side that wins."
            " The Excuse may be among them if all your trumps are",
        }
    )
    several = MappingProxyType({"discard": DOG})
    example = Example(
        options=Options(deals=1),
        seats=3,
        cards="NC,KS,9H,JH,NH,KH,A9,A5,6H,7H,TD,8H,7D,4S,9D,1C,5S,A1,1S,NS,TC,"
        "QD,A16,8S,JD,4H,A4,A8,KC,3S,A2,QS,A3,JS,A11,8D,2D,3H,9S,5H,A20,"
        "A6,A19,EX,9C,A21,JC,4C,QH,A17,2H,TS,ND,A18,6C,3C,TH,A7,2S,A10,QC,"
        "4D,7S,7C,5C,KD,3D,2C,6D,6S,5D,A12,A13,A14,8C,1H,1D,A15",
        answers=(
            *("pass", "garde", "pass", "9C,TC,JC,QC,5D,QD"),
            "KC",
            "4C show A1,A2,A3,A5,A7,A9,A10,A11,A12,A13,A14,A21,EX",
            "8C",
            *cards(
                "KD A2 1D A21 A15 A4 A14 A16 A18 KS 1S TS 1C A3 5C A13 A17 A19 2C A5 7C A12 1H A20"
                " 3D A7 2D A11 2H A6 A10 3H A8 KH 4H 5H QS 7S 3S NS 8S 4S JS 9S 5S 2S 4D 3C"
                " 6S 7D 6C 6H QH JH 8D 6D EX 7H 9H NH TH 8H 9D A9 TD NC A1 JD ND"
            ),
        ),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a game of `options.deals` deals."""
        self.check_table(options, seats, purses)
        return Shuffling(ScoreSheet(options, dealer=2))

    def largest_margin(self, options: Options, seats: int) -> int:  # noqa: ARG002
        """Every deal at the highest price: a taker pays or gets it twice, a defender once."""
        return 3 * options.deals * highest_price(options.half_points)
