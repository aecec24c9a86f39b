"""Blackjack as the 2011 king-of-the-hill contest played it.

One to four bots sit down against the house for a round of five hands dealt from one pack. Every
bot pays ten chips a hand, gets two cards, and may take a card (`H`), stand (`S`), double (`D`) or
raise its stake (`B n`) until it stands. The dealer draws to 17. A bot wins its stake only where
its score is greater than the dealer's: equal scores lose, and who goes over 21 loses whatever the
dealer does. There is no bonus for a natural, no split and no insurance.

The readings of the contest's text that this file takes:

* A bet or a double that can't be carried out is not allowed: the bot stands, as for no answer.
* A seat over 21 loses under `push: return` too; only a real score can be equal to the dealer's.
* With `buy_in_per: round` the ten chips are paid in the first hand of a round and are its stake;
  the other hands begin with a stake of nothing, which a bot may raise.
* With `deal_order: dealer_first` the dealer takes both cards, then the seats get theirs one by one.
* With `visible_scope: round` the cards of earlier hands, all face up, come before this hand's.
* A round ends early where no seat can pay for another hand.
* A round has a pack of its own and every seat moves once a pass, as in the contest's program. Its
  text has one shoe until it is exhausted, which is `shoe: exhausted`: the table goes on with it in
  the tourney's next round, whoever sits there then. About moves it says only that they come in the
  order of the deal, and takes its rules from ordinary blackjack, in which a player's turn is whole:
  `turns: whole`. The preset `contest` is the text's, the first values are the program's.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from tables.blackjack.messages import BlackjackQuestion, HandOver, ShoeGoesOn
from tables.blackjack.phases import GoingOn, Shuffling
from tables.blackjack.rendering import scene
from tables.blackjack.table import Options, Round, Spot, Table, affords
from tables.cards import FULL_PACK, cards
from tables.game import BadTable, Example, Game, Over, Phase, StandIn
from tables.scene import Scene


class Blackjack(Game):
    """Beat the dealer, and take more chips from the house than the other bots."""

    name = "blackjack"
    title = "Blackjack"
    version = 1
    seats = range(1, 5)
    carries = True
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
    news = (HandOver, ShoeGoesOn)
    answers = MappingProxyType(
        {
            "H": "hit: take one more card; over 21 you are bust and lose your stake",
            "S": "stand: take no more cards in this hand",
            "D": "double, as your first answer in a hand only (two cards, a stake of ten): pay your"
            " stake again, take one card and stand; needs as many chips as the stake",
            "B n": "bet: raise your stake by n chips, from 1 to all you have left; you are asked"
            " again. A sign is dropped and so is a fraction: `B 107.142857` is `B 107`",
        }
    )

    stand_ins = MappingProxyType({"": StandIn("S", "you stand")})
    example = Example(
        options=Options(hands=1),
        seats=2,
        cards="KC,6D,9H,7S,5H,AD,TC",
        answers=("S", "D"),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for a round of `options.hands` hands."""
        return Shuffling(self._set(options, seats, purses))

    def go_on(
        self, options: Options, seats: int, purses: Sequence[int] = (), shoe: Sequence[str] = ()
    ) -> Phase:
        """Sit down for a round that is dealt from what the one before left in the shoe."""
        if not shoe:
            return self.start(options, seats, purses)
        if options.shoe == "round":
            raise BadTable("with `shoe: round` no cards are left from the round before")
        if sorted(shoe) != sorted(set(shoe) & set(FULL_PACK)):
            raise BadTable(f"{','.join(shoe)} can't be what is left of a pack of {len(FULL_PACK)}")
        left = cards(",".join(shoe))
        return GoingOn(self._set(options, seats, purses)._replace(pack=left))

    def _set(self, options: Options, seats: int, purses: Sequence[int]) -> Table:
        """Everybody has sat down, and nothing is dealt."""
        self.check_table(options, seats, purses)
        chips = tuple(purses) or (options.start_chips,) * seats
        nothing = (0,) * seats
        round = Round(options, brought=chips, hands=nothing, won=nothing)
        return Table(round, tuple(map(Spot, chips)))

    def can_sit(self, options: Options, purse: int | None) -> bool:
        """Say whether a bot can still pay for a hand."""
        return affords(options, options.start_chips if purse is None else purse)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the dealer's hand on top and the seats below."""
        return scene(phase)
