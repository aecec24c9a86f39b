"""The phases of durak: the deal, and the questions of a bout until only one holds cards.

Rules are cited from docs/rules/durak.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from card_arena.tables.cards import RANKS, SUITS, Card, listed, pack
from card_arena.tables.durak.bout import (
    HAND,
    HEIGHT,
    Answer,
    Bout,
    Options,
    Say,
    Show,
    Together,
    Transfer,
    in_order,
    read_answer,
    sides,
)
from card_arena.tables.durak.messages import BoutOver, DurakQuestion
from card_arena.tables.game import Notice, Phase, Seat, Shuffle, Terminal, illegal
from card_arena.tables.legal_actions import Action, LegalActions, OneOf
from card_arena.tables.tricks import open_hands

BOUTS = 500
"""The most bouts; a game that has not ended by then is a draw among the seats with cards."""

_LOWEST = {52: "2", 36: "6", 32: "7", 24: "9"}


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """The dealer brings the pack."""

    options: Options
    seats: int

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards from the table's lowest rank to the ace."""
        return pack(RANKS[RANKS.index(_LOWEST[self.options.deck]) :])

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Deal six cards to everybody, one at a time, and turn a card for trumps (rule a.2)."""
        seats, options = self.seats, self.options
        given = order[: HAND * seats]
        if options.redeal and any(_has_long_suit(given[seat::seats]) for seat in range(seats)):
            return self, ()
        rest = order[HAND * seats :]
        trump = rest[0] if rest else given[-1]
        hands = tuple(in_order(given[seat::seats], trump.suit) for seat in range(seats))
        table = Bout(hands, options, trump, (*rest[1:], *rest[:1]), out=(0,) * seats)
        return _attacking(table.attacked_by(_beginner(hands, trump))), ()


def _has_long_suit(cards: Sequence[Card]) -> bool:
    suits = [card.suit for card in cards]
    return any(suits.count(suit) >= 5 for suit in SUITS)


def _beginner(hands: Sequence[Sequence[Card]], trump: Card) -> Seat:
    """The first attacker: the lowest trump's holder, else the seat after the dealer (rule a.3)."""
    trumps = [
        (HEIGHT[card.rank], seat)
        for seat, hand in enumerate(hands)
        for card in hand
        if card.suit == trump.suit and card != trump
    ]
    return min(trumps)[1] if trumps else 0


class Asked(NamedTuple):
    """A seat is asked for one of its legal answers."""

    bout: Bout
    seat: Seat
    legal: tuple[Answer, ...]

    @property
    def to_act(self) -> Seat:
        """The seat that is asked."""
        return self.seat

    @property
    def word(self) -> str:
        """The phase's name in a question, which depends on what lies on the table."""
        bout = self.bout
        if bout.taking:
            return "give"
        if not bout.attacks:
            return "attack"
        return "throw" if len(bout.defences) == len(bout.attacks) else "defend"

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """What can be laid or said now; the fallback action is the first of it."""
        return OneOf(self.legal)

    def question(self, seat: Seat) -> DurakQuestion:
        """The seat's own cards, and everything public."""
        bout = self.bout
        beaten_by = (*bout.defences, *[""] * (len(bout.attacks) - len(bout.defences)))
        return DurakQuestion(
            game="durak",
            phase=self.word,
            legal=",".join(map(str, self.legal)),
            seat=seat,
            hand=listed(bout.hands[seat]),
            trump=f"{bout.trump.suit}:{bout.trump}",
            talon=len(bout.talon),
            sizes=",".join([str(len(hand)) for hand in bout.hands]),
            table=",".join(map("-".join, zip(bout.attacks, beaten_by, strict=True))),
            attacker=bout.attacker,
            defender=bout.defender,
            left=bout.left,
            history=bout.history,
            hands=open_hands(bout.options, bout.hands),
        )

    def read(self, line: str) -> Action:
        """Read a card, several joined by `+`, `take`, `done`, `pass 8H` or `show 8D`."""
        return read_answer(line)

    def write(self, action: Action) -> str:
        """Write an answer as a bot would: `pass 8H`, where a question has `pass:8H`."""
        return str(action).replace(":", " ")


class Attacking(Asked):
    """The attacker leads to a bout (rule b.1)."""

    __slots__ = ()

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Lay the first attack card, or several of one rank."""
        answer = _checked(self, action)
        return _defending(self.bout.laid(self.seat, answer, _cards(answer))), ()


class Defending(Asked):
    """The defender beats the first unbeaten card, takes, or passes the attack on (rule b.2)."""

    __slots__ = ()

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Carry out the defender's answer."""
        bout, seat, answer = self.bout, self.seat, _checked(self, action)
        if answer is Say.TAKE:
            taken = bout._replace(taking=True, history=bout.said(seat, answer))
            return _throwing(taken) if bout.options.throw_after_take else _ended(taken)
        if isinstance(answer, Transfer):
            return _defending(bout.laid(seat, answer, (answer.card,)).attacked_by(seat)), ()
        if isinstance(answer, Show):
            shown = bout._replace(shown=True, history=bout.said(seat, answer))
            return _defending(shown.attacked_by(seat)), ()
        assert isinstance(answer, Card), "a defender lays one card at a time"
        beaten = bout.beaten(answer)
        if len(beaten.defences) < len(beaten.attacks):
            return _defending(beaten), ()
        return _throwing(beaten)


class Throwing(Asked):
    """A seat may throw in while everything is beaten or the defender takes (rule b.3)."""

    __slots__ = ()

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """What can be laid or said now; the fallback action throws nothing in."""
        *cards, done = self.legal
        return OneOf((done, *cards))

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Add the cards to the attack, or ask the next seat."""
        bout, seat, answer = self.bout, self.seat, _checked(self, action)
        if answer is Say.DONE:
            done = (*bout.done, seat)
            return _throwing(bout._replace(done=done, history=bout.said(seat, answer)))
        more = bout.laid(seat, answer, _cards(answer))
        return _throwing(more) if bout.taking else (_defending(more), ())


def _checked(phase: Attacking | Defending | Throwing, action: Action) -> Answer:
    """The action, if it is a legal answer."""
    try:
        return phase.legal[phase.legal.index(action)]
    except ValueError:
        raise illegal(phase, action) from None


def _cards(answer: Answer) -> tuple[Card, ...]:
    if isinstance(answer, Together):
        return answer.cards
    assert isinstance(answer, Card), "only cards are laid"
    return (answer,)


def _attacking(bout: Bout) -> Attacking:
    seat = bout.attacker
    return Attacking(bout, seat, bout.layable(bout.hands[seat]))


def _defending(bout: Bout) -> Defending:
    attack = bout.attacks[len(bout.defences)]
    legal = (*bout.defences_to(attack), *bout.transfers(), Say.TAKE)
    return Defending(bout, bout.defender, legal)


def _throwing(bout: Bout) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """Ask the next seat that can throw in, or else end the bout (rules b.3 and b.4)."""
    thrower = bout.next_thrower()
    if not thrower:
        return _ended(bout)
    seat, cards = thrower
    return Throwing(bout, seat, (*cards, Say.DONE)), ()


def _ended(bout: Bout) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """Clear the table, refill the hands, and begin another bout or end (rules b.4 to b.7)."""
    options, number, defender = bout.options, bout.number, bout.defender
    hands, talon = _filled_up(bout)
    out, over = bout.out, number == BOUTS
    if not talon and () in hands:
        out = tuple(
            [went or (0 if hand else number) for went, hand in zip(out, hands, strict=True)]
        )
        over = over or _is_decided(options, out)
    plays = bout.history.rpartition("/")[2]
    notices = (BoutOver(number, plays, "taken" if bout.taking else "beaten"),)
    if over:
        return score(options, out, defender), notices
    swept = () if bout.taking else tuple(zip(bout.attacks, bout.defences, strict=True))
    table = Bout(hands, options, bout.trump, talon, out, number + 1, swept, history=bout.history)
    loses_turn = bout.taking or out[defender]
    attacker = table.next_in(defender) if loses_turn else defender
    return _attacking(table.attacked_by(attacker)), notices


def _is_decided(options: Options, out: Sequence[int]) -> bool:
    """Return whether the seats that are still in, if any, are all on one side (rule b.6)."""
    if options.partners:
        return all(out[0::2]) or all(out[1::2])
    return out.count(0) <= 1


def _filled_up(bout: Bout) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """The hands after the bout, and the rest of the talon (rules b.4 and b.5)."""
    hands, talon, trumps = list(bout.hands), bout.talon, bout.trump.suit
    if bout.taking:
        taken = (*hands[bout.defender], *bout.attacks, *bout.defences)
        hands[bout.defender] = in_order(taken, trumps)
    for seat in bout.drawing_order() if talon else ():
        missing = HAND - len(hands[seat])
        if missing > 0:
            hands[seat] = in_order((*hands[seat], *talon[:missing]), trumps)
            talon = talon[missing:]
    return tuple(hands), talon


def score(options: Options, out: Sequence[int], defender: Seat) -> Terminal:
    """Points by places: two for every side that held cards longer, one for every tie (rule b.7).

    A hand is won by all seats not among the last: neither the fool nor those in a final draw.
    """
    lasted = [went or BOUTS + 1 for went in out]
    if all(out) and options.last_cards == "attacker_wins":
        lasted[defender] = BOUTS + 1
    scores = [0] * len(out)
    ends = {side: max(lasted[seat] for seat in side) for side in sides(options, len(out))}
    for side, end in ends.items():
        later = sum(other > end for other in ends.values())
        as_late = sum(other == end for other in ends.values()) - 1
        for seat in side:
            scores[seat] = 2 * later + as_late
    return Terminal(
        scores=tuple(scores),
        hands=(1,) * len(out),
        won=tuple(int(score > min(scores)) for score in scores),
    )
