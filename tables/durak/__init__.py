"""Durak, the throw-in kind (*podkidnoy*): whoever holds cards last is the fool.

Two to six players. One attacks his neighbour with a card, who beats it with a higher card of its
suit or with a trump, or takes it. While there is room the others throw in cards of ranks that lie
on the table. What was beaten leaves the game; hands are filled up to six from the talon.

docs/rules/durak.md has the rules under the numbers that comments cite, their sources, and each
unclear point: how it is read here, why, and which option reads it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from card_arena.tables.durak.bout import HAND, Options, sides
from card_arena.tables.durak.luck import luck
from card_arena.tables.durak.messages import BoutOver, DurakQuestion
from card_arena.tables.durak.observations import observations
from card_arena.tables.durak.phases import Asked, Attacking, Shuffling
from card_arena.tables.durak.rendering import ending, projected_scores, remark, scene
from card_arena.tables.game import (
    END,
    FOLLOWING,
    LEADS,
    BadTable,
    Example,
    FallbackAction,
    Game,
    Part,
    Phase,
    Presentation,
    Seat,
    Statistics,
    terms,
)

TERMS = terms(
    *("attack", "bout", "discarded", "done", "fool", "out", "take", "talon", "trumps"),
    attacks="attack",
    beaten="beat",
    defends="defender",
    takes="take",
    **{"pass": "pass-on", "passes": "pass-on"},
)
"""Words of the game, and their anchors in docs/rules/durak.md."""


def part(phase: Phase) -> Part:
    """The attack, the defence with what is thrown in, or the end, where no card is left to draw."""
    if isinstance(phase, Asked) and not phase.bout.talon:
        return Part(END)
    return Part(LEADS if isinstance(phase, Attacking) else FOLLOWING)


class Durak(Game):
    """Get rid of your cards: the player who still holds some when all others are out is the fool.

    You score two points for every player who did worse and one for every player who did as well:
    alone ahead of three others that is 6; the fool has 0. Only the fool's hand is lost. In a draw
    the last cards go together, and none of the players who held them wins.
    """

    name = "durak"
    title = "Durak"
    version = 1
    seats = range(2, 7)
    presentation = Presentation(
        scene, ending, remark, terms=TERMS, projected_scores=projected_scores
    )
    statistics = Statistics(
        luck,
        luck_helps=lambda seats, _: seats == 2,  # each of more hands has a small part of the luck
        part=part,
        rotation_helps=False,
        widest=lambda options, seats: 2 * (len(sides(options, seats)) - 1),
        observations=observations,
    )
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
    notices = (BoutOver,)
    answers = MappingProxyType(
        {
            "7H": "a card: attack with it, beat the first unbeaten card with it, or throw it in",
            "take": "take all cards of the bout, and those that are still thrown in",
            "done": "throw nothing in; you are asked again if somebody else does",
            "pass 7H": "if the table has transfers: pass the attack on with one more card of its"
            " rank; `pass:7H` is the same",
            "show 7D": "with `transfer: show_trump`: pass the attack on by showing the trump of its"
            " rank, once in a bout; `show:7D` is the same",
            "7H+7S": "with `throw_in: several`: lay cards of one rank together",
        }
    )
    fallback_actions = MappingProxyType(
        dict.fromkeys(("throw", "give"), FallbackAction("done", "you throw nothing in"))
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
        """Check that there are six cards for each, and that partners are two and two."""
        super().check_table(options, seats, purses)
        if options.deck < HAND * seats:
            raise BadTable(
                f"{options.deck} cards are too few for {seats} players: everybody gets {HAND}"
            )
        if options.partners and seats != 4:
            raise BadTable(f"durak with partners seats 4 players, not {seats}")

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """A side for each seat, unless the table has partners."""
        return sides(options, seats)

    def largest_margin(self, options: Options, seats: int) -> int:
        """Two points for every side that lasts longer: the fool has none, the others' mean is n."""
        return len(self.sides(options, seats))
