"""A scene as lines of text, for a terminal.

hand 1 of 5
  dealer   9♦ ░░
  lim17    K♣ 7♠            score 17   stake 10   chips 190
> ada      6♥ 5♦            score 11   stake 10   chips 190

In games with tricks, the card that a seat has played stands before its hand. A hidden hand is shown
as a number of cards during a game, and openly in a replay; a replay also shows face-down cards, in
brackets.

round 2
  trick 1 of 13   contract ada
  seats 0+2  score 120  bid 7  took 0
  seats 1+3  score 85  bid 5  took 0
  ada      7♥    12 cards  bid 4     took 0
> bob            13 cards  bid 3     took 0
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from card_arena.common.text import quoted
from card_arena.tables.cards import EXCUSE, SUIT_NAMES, SUIT_SIGNS, Card, card
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE, Game, Seat, Terminal
from card_arena.tables.legal_actions import Pick
from card_arena.tables.referee import Step
from card_arena.tables.scene import Pile, Place, Scene, Shown

TRUMP_SIGN = "★"
FACE_DOWN = "░░"
STDERR = 12
"""The most lines shown of a bot's standard error: enough for a short traceback."""

WIDTH = 80
"""The number of columns that a table is drawn for."""

FAN = "SHCD"
"""The suits of a hand from left to right, with similar ones kept apart."""

HEIGHT = "123456789TJNQKA"
"""The ranks from low to high, for display only."""


def card_text(card: Card) -> str:
    """Write a card with the sign of its suit: `10♦`, a trump `14★`, the Excuse `Exc`."""
    if card == EXCUSE:
        return "Exc"
    return ("10" if card.rank == "T" else card.rank) + SUIT_SIGNS.get(card.suit, TRUMP_SIGN)


def fanned(hand: Iterable[Shown]) -> tuple[Shown, ...]:
    """Sort a hand as people hold it: suit by suit, the highest card first."""

    def place(shown: Shown) -> tuple[int, int]:
        card = shown.card
        if card.suit in SUIT_NAMES:
            return FAN.index(card.suit), -HEIGHT.index(card.rank)
        return -1, -22 if card == EXCUSE else -int(card.rank)

    return tuple(sorted(hand, key=place))


def seat_name(seat: Seat, names: Sequence[str]) -> str:
    """Name the player in a place; the dealer has no name."""
    return "dealer" if seat == CHANCE else names[seat]


def draw(
    scene: Scene,
    names: Sequence[str],
    *,
    reveal: bool = False,
    width: int = WIDTH,
    own: Seat | None = None,
) -> list[str]:
    """Draw a whole table: a title, what lies in the middle, then the places.

    `>` marks the place that is to act. `reveal` shows the cards that are hidden from anyone at the
    table; the hand of the seat `own` is always open. When the places don't fit in `width` columns,
    their cards get lines of their own.
    """
    middle = [str(scene.stage)] if scene.stage else []
    middle += [" ".join(pair) for pair in scene.facts]
    lines = [scene.title, *_wrapped(middle, "  ", width, "   ")]
    for side in scene.sides:
        facts = ["  ".join(" ".join(pair) for pair in (("score", str(side.score)), *side.facts))]
        lines += _wrapped(facts, f"  seats {'+'.join(map(str, side.seats))}  ", width)
    for label, piles in groupby(scene.piles, key=lambda pile: pile.label):
        words = [word for pile in piles for word in _pile(pile, reveal)]
        lines += _wrapped(words, f"  {label}  " if label else "  ", width)
    return [*lines, *_places(scene.places, names, reveal, width, own)]


def _places(
    places: Sequence[Place], names: Sequence[str], reveal: bool, width: int, own: Seat | None
) -> Sequence[str]:
    """Draw the places in columns: mark, name, what was played, the cards, the facts."""
    titles = [seat_name(place.seat, names) for place in places]
    tricks = [" ".join(_cards(place.played, reveal)) for place in places]
    hands = [_held(place, reveal, own) for place in places]
    facts = _fact_words(places)
    wide = max(map(len, titles))
    # A hand on the table grows card by card; a hidden one is only counted.
    least = 8 if any(place.in_hand for place in places) else 20
    long = max(least, *(len(" ".join(hand)) for hand in hands))
    trick = max(map(len, tricks))
    if trick or any(place.in_hand for place in places):
        trick = max(4, trick)
    heads = [
        f"{'> '[not place.to_act]} {title:{wide}}  " + (f"{played:{trick}}  " if trick else "")
        for place, title, played in zip(places, titles, tricks, strict=True)
    ]
    lines = [
        f"{head}{' '.join(hand):{long}}  {'  '.join(fact)}".rstrip()
        for head, hand, fact in zip(heads, hands, facts, strict=True)
    ]
    if max(map(len, lines)) <= width:
        return lines
    return [
        line
        for head, hand, fact in zip(heads, hands, facts, strict=True)
        for line in (
            *_wrapped(fact, head, width, "  ", always=True),
            *_wrapped(hand, " " * min(wide + 4, 12), width),
        )
    ]


def _held(place: Place, reveal: bool, own: Seat | None) -> Sequence[str]:
    """The cards of a place in words, or their number in a hidden hand."""
    if not place.in_hand:
        return _cards(place.cards, reveal)
    if reveal or place.seat == own:
        return _cards(fanned(place.cards), reveal)
    return [f"{len(place.cards) or 'no'} card{'s' * (len(place.cards) != 1)}"]


def _cards(cards: Sequence[Shown], reveal: bool) -> list[str]:
    """Write cards one by one, with face-down ones in brackets or as backs."""
    words = []
    for down, run in groupby(cards, key=lambda shown: shown.face_down):
        some = [card_text(shown.card) for shown in run]
        if not down:
            words += some
        elif reveal:
            words += [f"[{text}]" for text in some]
        else:
            words += [f"{FACE_DOWN}×{len(some)}"] if len(some) > 6 else [FACE_DOWN] * len(some)
    return words


def _pile(pile: Pile, reveal: bool) -> Sequence[str]:
    """Write a pile; one without a name is a card and what beat it, held together by a dash."""
    words = _cards(pile.cards, reveal)
    return words if pile.label else ["-".join(words)]


def _fact_words(places: Sequence[Place]) -> list[list[str]]:
    """Write the facts of every place, aligned with those of the same name, and its status."""
    wide: dict[str, int] = {}
    for place in places:
        for label, value in place.facts:
            wide[label] = max(4, len(with_suit_signs(value)), wide.get(label, 0))
    return [
        [f"{label} {with_suit_signs(value):{wide[label]}}" for label, value in place.facts]
        + [word for word in (place.status, "took it" * place.took) if word]
        for place in places
    ]


def _wrapped(
    words: Sequence[str], head: str, width: int, gap: str = " ", *, always: bool = False
) -> Iterator[str]:
    """Fill lines with words after a head, which is left blank on later lines.

    Without words there is no line, unless the head is `always` shown.
    """
    line, empty = head, True
    for word in words:
        more = word if empty else gap + word
        if not empty and len((line + more).rstrip()) > width:
            yield line.rstrip()
            line, more = " " * len(head), word
        line, empty = line + more, False
    if always or not empty:
        yield line.rstrip()


@lru_cache(maxsize=4096)
def with_suit_signs(text: str) -> str:
    """Write an action or a fact for people: its cards with the signs of their suits."""
    return "".join(map(_sign, re.split("([ ,+])", text)))


def _sign(word: str) -> str:
    try:
        return card_text(card(word))
    except ValueError:
        return word


def narrate(game: Game, step: Step, names: Sequence[str], *, reveal: bool = False) -> list[str]:
    """Say in words what a bot did in a step, and what went wrong, if anything.

    The dealer's turns are left out: they can be seen on the table. Cards that a seat picks in
    secret are named only with `reveal`.
    """
    turn = step.turn
    if turn.seat == CHANCE:
        return []
    name, fault = seat_name(turn.seat, names), turn.fault
    choice = step.before.legal_actions(turn.seat)
    bid = game.presentation.suit_bid(turn.action)
    action = str(bid) if bid else with_suit_signs(turn.action)
    if isinstance(choice, Pick) and not reveal:
        action = f"{choice.verb} {choice.count} cards"
    if fault is None:
        return [f"{name}: {action}"]
    mark = "strike" if fault.struck else "forgiven"
    lines = [
        f"{name}: {fault.kind}, {mark}: {fault_text(fault, turn.answer)}",
        f"    fallback action  {action}",
    ]
    lines.append(f"    asked     {turn.question}")
    lines.append(f"    answered  {quoted(turn.answer or '') or '(nothing)'}")
    lines.extend(f"    stderr    {line}" for line in step.stderr.splitlines()[-STDERR:])
    return lines


def show(
    game: Game,
    step: Step,
    names: Sequence[str],
    *,
    reveal: bool = False,
    width: int = WIDTH,
    own: Seat | None = None,
) -> Iterator[str]:
    """Show one step of a game: what was done, then the table if it has changed.

    In games with hands, a card or a bid is a line, and the table is drawn when the cards are dealt
    and whenever there is a remark, such as who takes the trick. `reveal` is for games that are
    over: it shows what only some seats can see. `own` is the seat of the reader.
    """
    yield from narrate(game, step, names, reveal=reveal or step.turn.seat == own)
    remark = game.presentation.remark(step.before, step.after, names)
    yield from _wrapped(remark.split(), "", width)
    before, scene = game.presentation.scene(step.before), game.presentation.scene(step.after)
    one_of_many = (
        any(place.in_hand for place in scene.places)
        and scene.title == before.title
        and step.turn.seat != CHANCE
        and not remark
    )
    if scene != before and not one_of_many:
        yield from draw(scene, names, reveal=reveal, width=width, own=own)
        if isinstance(step.after, Terminal) or step.notices:
            yield ""
