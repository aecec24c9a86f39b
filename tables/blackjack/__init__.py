"""Blackjack as the 2011 king-of-the-hill contest played it.

One to four bots sit down against the house for a round of five hands dealt from one pack. Every
bot pays ten chips a hand, gets two cards, and may take a card (`H`), stand (`S`), double (`D`) or
raise its stake (`B n`) until it stands. The dealer draws to 17. A bot wins its stake only where
its score is greater than the dealer's: equal scores lose, and a hand over 21 loses whatever
the dealer does. There is no bonus for a natural, no split and no insurance.

docs/rules/blackjack.md has the rules under the numbers that comments cite. It says where the
contest's text and its program differ, how that is read here and which option reads it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from card_arena.tables.blackjack.luck import luck_of_cards
from card_arena.tables.blackjack.messages import (
    BlackjackQuestion,
    HandOver,
    PrefixedQuestion,
    ShoeGoesOn,
)
from card_arena.tables.blackjack.phases import GoingOn, Playing, Settled, Shuffling, legal_words
from card_arena.tables.blackjack.rendering import projected_scores, scene
from card_arena.tables.blackjack.table import BUY_IN, Options, Round, Spot, Table, affords
from card_arena.tables.cards import FULL_PACK, cards
from card_arena.tables.game import (
    BadTable,
    Example,
    FallbackAction,
    Game,
    Phase,
    Presentation,
    Seat,
    Statistics,
    Terminal,
    terms,
)

TERMS = terms(
    *("bet", "bust", "chips", "double", "hand", "hit", "push", "score", "stake", "stand"),
    stands="stand",
)
"""Words of the game, and their anchors in docs/rules/blackjack.md."""


def luck(before: Phase, after: Phase | Terminal) -> Sequence[int]:
    """Every card that turned up, against those that could have come."""
    if isinstance(after, Terminal):
        return ()
    assert isinstance(before, Shuffling | GoingOn | Playing | Settled)
    assert isinstance(after, Shuffling | Playing | Settled)
    return luck_of_cards(before.table, after.table, settled=isinstance(after, Settled))


class Blackjack(Game):
    """Beat the dealer, and take more chips from the house than the other bots."""

    name = "blackjack"
    title = "Blackjack"
    version = 1
    seats = range(1, 5)
    carries = True
    presentation = Presentation(scene, terms=TERMS, projected_scores=projected_scores)
    statistics = Statistics(luck, luck_helps=lambda *_: True)
    fixed_stakes = MappingProxyType({"shoe": "hand"})
    options = Options
    presets = MappingProxyType(
        {
            "contest": Options(shoe="exhausted", turns="whole"),
            "cardshark": Options(
                deal_order="dealer_first",
                letters="lower",
                unaffordable_double="allowed",
                bet_zero="nothing",
                visible_scope="round",
            ),
        }
    )
    sample = ("21", "KJA", "KQKJA3592A", "25", "145")
    questions = (BlackjackQuestion,)
    prefixed = PrefixedQuestion
    notices = (HandOver, ShoeGoesOn)
    answers = MappingProxyType(
        {
            "H": "hit: take one more card; over 21 you are bust and lose your stake",
            "S": "stand: take no more cards in this hand",
            "D": "double, only as your first answer in a hand (two cards, a stake of ten): pay your"
            " stake again, take one card and stand; you need as many chips as the stake",
            "B n": "bet: raise your stake by n chips, from 1 to all you have left; you are asked"
            " again. A sign and a fraction are dropped: `B 107.142857` is `B 107`",
        }
    )

    fallback_actions = MappingProxyType({"": FallbackAction("S", "you stand")})
    example = Example(
        options=Options(hands=1),
        seats=2,
        cards="KC,6D,9H,7S,5H,AD,TC",
        answers=("S", "D"),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a round of `options.hands` hands."""
        return Shuffling(self._set(options, seats, purses))

    def resume(
        self, options: Options, seats: int, purses: Sequence[int] = (), shoe: Sequence[str] = ()
    ) -> Phase:
        """Sit down for a round dealt from the cards that the previous round left."""
        if not shoe:
            return self.start(options, seats, purses)
        if options.shoe != "exhausted":
            raise BadTable(f"with `shoe: {options.shoe}` no cards are left from the round before")
        if sorted(shoe) != sorted(set(shoe) & set(FULL_PACK)):
            raise BadTable(f"{','.join(shoe)} can't be what is left of a pack of {len(FULL_PACK)}")
        left = cards(",".join(shoe))
        return GoingOn(self._set(options, seats, purses)._replace(pack=left))

    def prefixed_question(self, phase: Phase, seat: Seat) -> PrefixedQuestion:
        """The contest's five words after the common prefix."""
        asked = phase.question(seat)
        assert isinstance(asked, BlackjackQuestion)
        legal = legal_words(phase.legal_actions(seat))
        five = (asked.score, asked.hand, asked.visible, asked.stake, asked.chips)
        return PrefixedQuestion(self.name, "play", legal, seat, *five)

    def _set(self, options: Options, seats: int, purses: Sequence[int]) -> Table:
        """The position when all seats are taken and nothing is dealt."""
        self.check_table(options, seats, purses)
        chips = tuple(purses) or (options.start_chips,) * seats
        nothing = (0,) * seats
        round = Round(options, brought=chips, hands=nothing, won=nothing)
        return Table(round, tuple(map(Spot, chips)))

    def first_purse(self, options: Options) -> int:
        """The chips that a contest's bot has at its first table."""
        return options.start_chips

    def can_sit(self, options: Options, purse: int | None) -> bool:
        """Say whether a bot can still pay for a hand."""
        return affords(options, self.first_purse(options) if purse is None else purse)

    def largest_margin(self, options: Options, seats: int) -> int:  # noqa: ARG002
        """All chips lost on one side, all staked and doubled hand after hand on the other."""
        return (options.start_chips + BUY_IN) << options.hands

    def forfeit_score(
        self,
        options: Options,
        opponents: Sequence[int],  # noqa: ARG002
        seats: int,  # noqa: ARG002
        purse: int | None = None,
    ) -> int:
        """All chips lost: no seat changes what another one has."""
        chips = options.start_chips if purse is None else purse
        return -chips - BUY_IN * (options.unaffordable_double == "allowed")
