"""What people see of a game of blackjack."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.tables.blackjack.phases import GoingOn, Playing, Settled, Shuffling
from card_arena.tables.blackjack.table import State, Table, score, total
from card_arena.tables.cards import Card
from card_arena.tables.game import CHANCE, Phase, Seat, Terminal
from card_arena.tables.scene import Place, Scene, Shown


def scene(phase: Phase | Terminal) -> Scene:
    """Draw the dealer's hand on top and the seats below."""
    if isinstance(phase, Terminal):
        return _the_end(phase)
    assert isinstance(phase, Shuffling | GoingOn | Playing | Settled)
    table, turned = phase.table, isinstance(phase, Settled)
    house = Place(
        CHANCE,
        tuple(Shown(c, face_down=i == 1 and not turned) for i, c in enumerate(table.dealer)),
        (("score", _total(table.dealer)),) if turned else (),
        "bust" if turned and not score(table.dealer) else "",
    )
    seats = tuple(
        Place(
            seat,
            tuple(map(Shown, spot.cards)),
            (
                ("score", _total(spot.cards)),
                ("stake", str(spot.stake)),
                ("chips", str(spot.chips)),
            ),
            _standing(table, seat, turned),
            to_act=seat == phase.to_act,
        )
        for seat, spot in enumerate(table.spots)
    )
    number, options = table.round.number, table.round.options
    return Scene(
        f"hand {number} of {options.hands}" if number else "the first deal", (house, *seats)
    )


def projected_scores(phase: Phase | Terminal) -> Sequence[int] | None:
    """What every seat has won if the stakes on the table that are not lost yet come back."""
    if isinstance(phase, Terminal):
        return phase.scores
    assert isinstance(phase, Shuffling | GoingOn | Playing | Settled)
    table, waits = phase.table, isinstance(phase, Playing)
    return tuple(
        spot.chips + spot.stake * (waits and spot.state is not State.BUST) - brought
        for spot, brought in zip(table.spots, table.round.brought, strict=True)
    )


def _the_end(over: Terminal) -> Scene:
    ends = enumerate(zip(over.purses, over.won, over.hands, strict=True))
    return Scene(
        "the end",
        tuple(
            Place(seat, facts=(("chips", str(purse)), ("hands won", f"{won} of {hands}")))
            for seat, (purse, won, hands) in ends
        ),
    )


def _total(cards: Sequence[Card]) -> str:
    """Write the total of a hand: `17`, or `bust (24)` if it no longer counts."""
    return str(total(cards)) if score(cards) or not cards else f"bust ({total(cards)})"


def _standing(table: Table, seat: Seat, turned: bool) -> str:
    """Say in a word how a seat stands, and at the end of a hand whether it won."""
    spot = table.spots[seat]
    if not turned or spot.state is not State.STANDING:
        return str(spot.state)
    own, house = score(spot.cards), score(table.dealer)
    if own == house and table.round.options.push == "return":
        return "push"
    return "won" if own > house else "lost"
