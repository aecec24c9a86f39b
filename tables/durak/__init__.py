"""Durak, the throw-in kind (*podkidnoy*): whoever holds cards last is the fool.

Two to six players. One attacks his neighbour with a card, who beats it with a higher card of its
suit or with a trump, or takes it. While there is room the others throw in cards of ranks that lie
on the table. What was beaten leaves the game; hands are filled up to six from the talon.

The readings of the rules that are taken here:

* The card that shows trumps never makes its holder begin, not even where the whole pack is dealt
  and it is in a hand from the start.
* Where several cards wait to be beaten, after a transfer or on a `throw_in: several` table, they
  are beaten in the order they were laid. It costs the defender nothing, as he sees all of them.
* The limit is counted from the hand with which the defender enters the bout. Counting what he still
  holds and what he has laid comes to the same, so there is no option for it.
* A throw-in while the defender takes makes all the others be asked again, as any throw-in does.
* After a transfer the limit follows from the new defender's hand; in the first bout of a
  `first_limit: 5` table it stays five at most. Who passed an attack on is its attacker, and draws
  first.
* With `throw_in: several` cards that are laid together are of one rank.
* With `transfer: show_trump` a trump is shown once in a bout.
* `refill: throwers` goes by the first card that each laid; nobody else can be short of cards.
* With `last_cards: attacker_wins` the defender is the fool where nobody has cards left.
* `partners` sit across: nobody attacks or throws in against his partner, and an attack goes to the
  next opponent. The game ends when only one side holds cards.
* A five-card suit with `redeal` is any suit, trumps included.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from tables.durak.bout import HAND, Options, sides
from tables.durak.messages import BoutOver, DurakQuestion
from tables.durak.phases import Shuffling
from tables.durak.rendering import remark, scene
from tables.game import BadTable, Example, Game, Over, Phase, Seat, StandIn
from tables.scene import Scene


class Durak(Game):
    """Get rid of your cards: whoever still holds some when all the others are out is the fool.

    A score is two points for everybody who did worse and one for everybody who did as well: alone
    in front of three others that is 6, the fool has 0. Only the fool's hand is lost; in a draw,
    where the last cards go together, nobody of those who held them wins.
    """

    name = "durak"
    title = "Durak"
    version = 1
    seats = range(2, 7)
    options = Options
    presets = MappingProxyType(
        {
            "default": Options(),
            "classic": Options(deck=36, first_limit=5),
            "transfer": Options(deck=36, first_limit=5, transfer="card"),
            "application": Options(throwers="neighbours", refill="seats"),
        }
    )
    sample = (
        *("durak", "attack", "3C,TC,5H,JH,8S,4D", "0", "3C,TC,5H,JH,8S,4D", "D:QD", "40", "6,6"),
        *("-", "0", "1", "6", "-"),
    )
    questions = (DurakQuestion,)
    news = (BoutOver,)
    answers = MappingProxyType(
        {
            "7H": "a card: attack with it, beat the first unbeaten card with it, or throw it in",
            "take": "take all cards of the bout, and those that are still thrown in",
            "done": "throw nothing in; you are asked again where somebody else does",
            "pass 7H": "where the table has transfers: pass the attack on with one more card of its"
            " rank; `pass:7H` is the same",
            "show 7D": "with `transfer: show_trump`: pass the attack on by showing the trump of its"
            " rank, once in a bout; `show:7D` is the same",
            "7H+7S": "with `throw_in: several`: lay cards of one rank together",
        }
    )
    stand_ins = MappingProxyType(
        dict.fromkeys(("throw", "give"), StandIn("done", "you throw nothing in"))
    )
    example = Example(
        options=Options(deck=24, transfer="card"),
        seats=3,
        cards="AD,9C,KH,JC,QS,TD,AS,KC,TH,KS,JH,JD,AH,9D,9H,QH,TS,QD,9S,AC,TC,QC,KD,JS",
        answers=(
            *("9C", "pass 9H", "JC", "QH", "JD", "AD", "QD", "KS", "KH", "AH"),
            *("9D", "AS", "JH", "take", "JS", "KC", "pass KD", "9S", "TS"),
            *("TC", "QS"),
        ),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down for one game, to the last card."""
        self.check_table(options, seats, purses)
        return Shuffling(options, seats)

    def check_table(self, options: Options, seats: int, purses: Sequence[int] = ()) -> None:
        """Six cards each must be there, and partners are two and two."""
        super().check_table(options, seats, purses)
        if options.deck < HAND * seats:
            raise BadTable(
                f"{options.deck} cards are too few for {seats} players: everybody gets {HAND}"
            )
        if options.partners and seats != 4:
            raise BadTable(f"durak with partners seats 4 players, not {seats}")

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everybody for himself, unless the table has partners."""
        return sides(options, seats)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the hands, and each attack card with what beat it."""
        return scene(phase)

    def remark(self, before: Phase, after: Phase | Over, names: Sequence[str]) -> str:
        """Say who begins, who passed the attack on, what a bout came to and who is out."""
        return remark(before, after, names)
