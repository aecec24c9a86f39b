"""A scene as lines of text, for a terminal.

hand 1 of 5
  dealer   9♦ ░░
  lim17    K♣ 7♠            score 17   stake 10   chips 190
> ada      6♥ 5♦            score 11   stake 10   chips 190
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tables.cards import Card
from tables.game import DEALER, Game, Over, Seat
from tables.referee import Step
from tables.scene import Place, Scene

SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
FACE_DOWN = "░░"


def card_text(card: Card) -> str:
    """Write a card with the sign of its suit: `10♦`."""
    return ("10" if card.rank == "T" else card.rank) + SUIT_SIGNS[card.suit]


def seat_name(seat: Seat, names: Sequence[str]) -> str:
    """Name who sits there; the dealer has no name of its own."""
    return "dealer" if seat == DEALER else names[seat]


def draw(scene: Scene, names: Sequence[str]) -> list[str]:
    """Draw a whole table: a title, then a line for each place; `>` marks who is to act."""
    hands = [
        " ".join(FACE_DOWN if shown.face_down else card_text(shown.card) for shown in place.cards)
        for place in scene.places
    ]
    titles = [seat_name(place.seat, names) for place in scene.places]
    wide, long = max(map(len, titles)), max(20, *map(len, hands))
    return [
        scene.title,
        *(
            f"{'> '[not place.to_act]} {title:{wide}}  {hand:{long}}  {_facts(place)}".rstrip()
            for place, title, hand in zip(scene.places, titles, hands, strict=True)
        ),
    ]


def _facts(place: Place) -> str:
    facts = "  ".join(f"{label} {value:<4}" for label, value in place.facts)
    return f"{facts}  {place.status}".rstrip()


def narrate(step: Step, names: Sequence[str]) -> list[str]:
    """Say in words what a bot did in a step, and what went wrong where something did.

    The dealer's turns are not told: they are seen on the table.
    """
    turn = step.turn
    if turn.seat == DEALER:
        return []
    name, fault = seat_name(turn.seat, names), turn.fault
    if fault is None:
        return [f"{name}: {turn.action}"]
    mark = "strike" if fault.struck else "forgiven"
    lines = [f"{name}: {turn.action}  ({fault.kind}, {mark}: {fault.detail})"]
    lines.append(f"    asked     {fault.question}")
    lines.append(f"    answered  {fault.answer or '(nothing)'}")
    lines.extend(f"    stderr    {line}" for line in fault.stderr.splitlines()[-3:])
    return lines


def show(game: Game, step: Step, names: Sequence[str]) -> Iterator[str]:
    """Show one step of a game: what was done, then the table where it looks different now."""
    yield from narrate(step, names)
    scene = game.scene(step.after)
    if scene != game.scene(step.before):
        yield from draw(scene, names)
        if isinstance(step.after, Over) or step.news:
            yield ""
