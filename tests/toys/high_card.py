"""High card: in three deals each seat keeps or folds a card; the highest that is kept wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from card_arena.tables.cards import RANKS, SUITS, Card, pack
from card_arena.tables.encoding import fact, word
from card_arena.tables.game import (
    Example,
    Game,
    MalformedAnswer,
    Mistake,
    Notice,
    Phase,
    Presentation,
    Seat,
    Shuffle,
    Statistics,
    TableOptions,
    Terminal,
    illegal,
)
from card_arena.tables.legal_actions import Action, OneOf
from card_arena.tables.scene import Place, Scene, Shown

ANSWERS = ("keep", "fold")
DEALS = 3

NO_ANSWER = Mistake("highcard.answer", "is not an answer: expected keep or fold")


class Options(TableOptions):
    """High card has no options."""


@dataclass(slots=True)
class HighCardQuestion:
    """What a bot is asked."""

    game: str = word("word", "the game", "highcard")
    phase: str = word("word", "`choose`: keep or fold", "choose")
    legal: str = word("answers", "every legal answer", "keep,fold")
    seat: int = word("number", "your seat", "1")
    card: str = word("card", "your card", "AS")
    deal: int = word("number", "the number of the deal, from 1", "1")


@dataclass(frozen=True, slots=True)
class Kept:
    """Who kept a card."""

    kept: str = fact("the seats that kept their cards", "0,1")

    def __str__(self) -> str:
        return f"kept {self.kept}"


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """The dealer brings the pack."""

    wins: tuple[int, ...]
    deal: int = 1

    @property
    def pack(self) -> tuple[Card, ...]:
        return pack(RANKS)

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        return Choosing(order[: len(self.wins)], (), self.wins, self.deal), ()


class Choosing(NamedTuple):
    """A seat is asked whether it keeps its card."""

    cards: tuple[Card, ...]
    said: tuple[str, ...]
    wins: tuple[int, ...]
    deal: int

    @property
    def to_act(self) -> Seat:
        return len(self.said)

    def legal_actions(self, seat: Seat) -> OneOf:
        return OneOf(ANSWERS)

    def question(self, seat: Seat) -> HighCardQuestion:
        card = str(self.cards[seat])
        return HighCardQuestion("highcard", "choose", ",".join(ANSWERS), seat, card, self.deal)

    def read(self, line: str) -> Action:
        if line not in ANSWERS:
            raise MalformedAnswer(NO_ANSWER, line)
        return line

    def write(self, action: Action) -> str:
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        if action not in ANSWERS:
            raise illegal(self, action)
        said = (*self.said, str(action))
        if len(said) < len(self.cards):
            return self._replace(said=said), ()
        kept = [seat for seat, answer in enumerate(said) if answer == "keep"]
        best = max(kept, key=lambda seat: _height(self.cards[seat]), default=-1)
        wins = tuple(won + (seat == best) for seat, won in enumerate(self.wins))
        notices = (Kept(",".join(map(str, kept)) or "-"),)
        if self.deal < DEALS:
            return Shuffling(wins, self.deal + 1), notices
        return Terminal(wins, hands=(DEALS,) * len(wins), won=wins), notices


def _height(card: Card) -> tuple[int, int]:
    return RANKS.index(card.rank), SUITS.index(card.suit)


def scene(phase: Phase | Terminal) -> Scene:
    if not isinstance(phase, Choosing):
        seats = phase.scores if isinstance(phase, Terminal) else getattr(phase, "wins", ())
        return Scene("the deal", tuple(Place(seat) for seat in range(len(seats))))
    places = (
        Place(seat, (Shown(card),), in_hand=True, to_act=seat == phase.to_act)
        for seat, card in enumerate(phase.cards)
    )
    return Scene(f"deal {phase.deal}", tuple(places))


class HighCard(Game):
    """Each seat gets a card, three times; the highest card that is kept wins a point."""

    name = "highcard"
    title = "High card"
    version = 1
    seats = range(2, 5)
    presentation = Presentation(scene)
    statistics = Statistics()
    options = Options
    presets: Mapping[str, Options] = MappingProxyType({})
    sample = ("highcard", "choose", "keep,fold", "0", "AS", "1")
    questions = (HighCardQuestion,)
    notices = (Kept,)
    answers = MappingProxyType({"keep": "you keep your card", "fold": "you fold"})
    example = Example(Options(), seats=2, cards="AS,2C", answers=ANSWERS * DEALS)

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:
        self.check_table(options, seats, purses)
        return Shuffling((0,) * seats)

    def largest_margin(self, options: Options, seats: int) -> int:
        return DEALS
