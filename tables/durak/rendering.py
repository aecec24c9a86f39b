"""Durak as people see it: attacks and defences, the seats' roles, and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from card_arena.tables.cards import SUIT_NAMES, Card
from card_arena.tables.durak.bout import HAND, Bout, Together
from card_arena.tables.durak.phases import Asked, Defending, Shuffling, score
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.legal_actions import Action
from card_arena.tables.scene import Pile, Place, Scene, Shown


def scene(phase: Phase | Terminal) -> Scene:
    """Draw the hands, and each attack card with what beat it.

    Until the next attack is led, the cards of a bout that was beaten still lie there.
    """
    if isinstance(phase, Terminal):
        return Scene(
            "the end",
            tuple(
                Place(seat, facts=(("score", str(score)),), status="out" if score else "the fool")
                for seat, score in enumerate(phase.scores)
            ),
        )
    if isinstance(phase, Shuffling):
        return Scene("the deal", tuple(Place(seat) for seat in range(phase.seats)))
    assert isinstance(phase, Asked)
    bout = phase.bout
    led = bool(bout.attacks) or not bout.swept
    if led:
        pairs = [bout.attacks[i : i + 1] + bout.defences[i : i + 1] for i in range(HAND)]
    else:
        pairs = list(bout.swept)
    return Scene(
        f"bout {bout.number if led else bout.number - 1}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, hand)),
                status=_status(bout, seat),
                to_act=seat == phase.seat,
                in_hand=True,
            )
            for seat, hand in enumerate(bout.hands)
        ),
        (
            ("trumps", SUIT_NAMES[bout.trump.suit]),
            ("talon", str(len(bout.talon))),
            ("discarded", str(bout.discarded)),
        ),
        (
            *(Pile("under the talon", (Shown(bout.trump),)) for _ in bout.talon[:1]),
            *(Pile("", tuple(map(Shown, pair))) for pair in pairs if pair),
        ),
    )


def projected_scores(phase: Phase | Terminal) -> Sequence[int] | None:
    """The scores if all seats that still hold cards go out together."""
    if isinstance(phase, Asked):
        return score(phase.bout.options, phase.bout.out, phase.bout.defender).scores
    return phase.scores if isinstance(phase, Terminal) else None


def ending(before: Phase, action: Action, over: Terminal) -> Scene:
    """Draw the last bout with its last card, and who is out."""
    last = scene(before)
    assert isinstance(before, Asked)
    cards = action.cards if isinstance(action, Together) else (action,)
    laid = tuple(Shown(card) for card in cards if isinstance(card, Card))
    *earlier, attack = last.piles
    if laid and isinstance(before, Defending):
        piles = (*earlier, replace(attack, cards=(*attack.cards, *laid)))
    else:
        piles = (*last.piles, *(Pile("", (shown,)) for shown in laid))
    return replace(
        last,
        places=tuple(
            Place(
                place.seat,
                tuple(shown for shown in place.cards if shown not in laid),
                (("score", str(score)),),
                "out" if score else "the fool",
                in_hand=True,
            )
            for place, score in zip(last.places, over.scores, strict=True)
        ),
        piles=piles,
    )


def _status(bout: Bout, seat: Seat) -> str:
    """Say in a word what a seat does in this bout, or will do once the table is cleared."""
    if bout.out[seat]:
        return "out"
    if bout.swept and not bout.attacks:
        return "attacks next" if seat == bout.attacker else ""
    if seat == bout.defender:
        return "takes" if bout.taking else "defends"
    if seat in bout.done:
        return "done"
    return "attacks" if seat == bout.attacker else ""


def _are(names: Sequence[str]) -> str:
    """Begin a sentence about these: `ada is`, `ada and bob are`."""
    *first, last = names
    return f"{', '.join(first)} and {last} are" if first else f"{last} is"


def remark(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> str:
    """Say who begins, who passed the attack on, what a bout came to and who is out."""
    if isinstance(after, Terminal):
        fools = [name for name, score in zip(names, after.scores, strict=True) if not score]
        if not fools:
            return "a draw: nobody is the fool"
        return f"{_are(fools)} the fool{'s' * (len(fools) > 1)}"
    if isinstance(after, Shuffling):
        return "five cards of a suit in one hand: the dealer deals again"
    if isinstance(before, Shuffling):
        return f"{names[after.to_act]} begins"
    assert isinstance(before, Asked)
    assert isinstance(after, Asked)
    then, now = before.bout, after.bout
    defender = names[then.defender]
    if now.number == then.number:
        passed = now.defender != then.defender
        return f"{defender} passes the attack on to {names[now.defender]}" if passed else ""
    gone = [names[seat] for seat, went in enumerate(now.out) if went == then.number]
    came_to = f"{defender} {'has beaten the attack' if now.swept else 'takes the cards'}"
    return f"{came_to}; {_are(gone)} out" if gone else came_to
