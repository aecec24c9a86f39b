"""What every game is: a chain of frozen phases, each waiting for one seat.

A position is a value. It can be written down in a test, compared, hashed, branched by a search and
drawn on a replay page. A bot learns about a game only through `Phase.question`; `Presentation` is
for people who watch a game or its replay.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from card_arena.common.faults import Facts
from card_arena.common.text import quoted
from card_arena.tables.cards import RANKS, SUITS, Card
from card_arena.tables.legal_actions import Action, LegalActions, Order, describe
from card_arena.tables.scene import Scene, SuitBid

if TYPE_CHECKING:
    from card_arena.tables.record import Record


class TableOptions(BaseModel):
    """The options of a game's table; every field has a description and a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class HandOptions(TableOptions):
    """Options of a game with hidden hands."""

    open_hands: bool = Field(
        False, description="whether every question ends with all hands; such a table is not rated"
    )


Seat = int
"""A place at the table: 0 acts first. `CHANCE` is the seat of chance."""

CHANCE: Seat = -1

UNRATED = "unrated: its results count for no rating"
"""The note for people about a table that is not `Game.rated`."""


class BadTable(ValueError):
    """A game can't be played with these options by this many players; the message says why."""


Text = str | Callable[[Facts], str]
"""A sentence: with the names of facts in braces, or made of the facts."""

MISTAKES: dict[str, Text] = {}
"""The sentence of every `Mistake`, by its code, of the games that are loaded."""


class Mistake:
    """A way in which a line is no answer: its code, and a sentence that begins behind the line.

    The code begins with the name of the game and a dot.
    """

    def __init__(self, code: str, text: Text) -> None:
        self.code = code
        MISTAKES[code] = text


class MalformedAnswer(Exception):
    """A bot's line is not an answer in this game at all."""

    def __init__(self, mistake: Mistake, line: str, **facts: Any) -> None:
        self.code = mistake.code
        self.facts = facts
        super().__init__(mistake_text(mistake.code, facts, quoted(line)))


PACK = Mistake("pack", "is not an order of the pack: {reason}")


def mistake_text(code: str, facts: Facts, answer: str) -> str:
    """Say what was wrong with a line that was no answer, and what was expected."""
    text = MISTAKES[code]
    return f"'{answer}' {text.format(**facts) if isinstance(text, str) else text(facts)}"


class IllegalAction(Exception):
    """An action that is not allowed in this phase; raised by `apply`."""


class Question(Protocol):
    """Everything that a seat may know when asked: a dataclass of `encoding.word` fields."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class Notice(Protocol):
    """Something that the whole table saw: a frozen dataclass of public facts.

    Its text is sent to `stdin` bots as a line after `# `; it never names a card that some seat must
    not see.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __str__(self) -> str:
        """Write the notices in one line of plain words, without the `# `."""
        ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """How a game ended: one number per seat in every field.

    `scores` rank the seats, higher is better. `hands` and `won` count the deals that a seat took
    part in and those it won. `purses` is what each seat holds now, for games in which chips carry
    over to the next table; it is empty in other games. `shoe` is the cards, the next one first,
    with which the next game at this table continues, if the table's options say so.
    """

    scores: tuple[int, ...]
    hands: tuple[int, ...]
    won: tuple[int, ...]
    purses: tuple[int, ...] = ()
    shoe: tuple[str, ...] = ()


class Phase(Protocol):
    """One instant of a game, waiting for one seat."""

    @property
    def to_act(self) -> Seat:
        """The seat that is asked; `CHANCE` if a pack is to be shuffled."""
        ...

    def legal_actions(self, seat: Seat) -> LegalActions:
        """All actions that this seat may take now."""
        ...

    def question(self, seat: Seat) -> Question:
        """Everything that this seat may know, and nothing more."""
        ...

    def read(self, line: str) -> Action:
        """Read an action from the words that a bot or a record uses; raises `MalformedAnswer`."""
        ...

    def write(self, action: Action) -> str:
        """Write an action in words that `read` understands."""
        ...

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Play an action; raises `IllegalAction` if it is not legal."""
        ...


@dataclass(frozen=True, slots=True)
class Example:
    """A short game for the manual: the cards on top of the pack, and every answer in turn."""

    options: Any
    seats: int
    cards: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FallbackAction:
    """The play for a seat that gives no legal answer: its words, and their meaning.

    `answer` is empty if nothing is played and the rules punish the seat.
    """

    answer: str
    meaning: str


def terms(*words: str, **forms: str) -> Mapping[str, str]:
    """Map words of a game to their anchors in docs/rules.

    The anchor of a word is the word itself with hyphens; `forms` are other forms of a word, such as
    its plural, with its anchor.
    """
    return {word: word.replace(" ", "-").replace("é", "e") for word in words} | forms


LuckFunction = Callable[[Phase, Phase | Terminal], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Presentation:
    """How people see a game, on pages and in a terminal.

    `scene` draws a position with every card, face down if it is so on the table. `ending` draws the
    last table of a game, given the last phase, the action in it and the end, which knows no cards;
    without it that is the scene of the end. `remark` describes
    a turn's effect if the cards alone don't show it, such as who took the trick; it gets the names
    of the seats. `suit_bid` reads a bid that names a suit; None if a word is no such bid. `framed`
    are the cards that decide a deal and are drawn with a frame. `terms` maps words of the game, as
    they appear in its scenes, remarks and actions, to their anchors in docs/rules.

    `projected_scores` returns the score that each seat comes to from a position if every contract
    is kept for as long as the rules leave that possible, and nothing else happens; None before
    there is a contract. Its changes show which turns decided a game. It is exact when a deal is
    over.
    """

    scene: Callable[[Phase | Terminal], Scene]
    ending: Callable[[Phase, Action, Terminal], Scene] | None = None
    remark: Callable[[Phase, Phase | Terminal, Sequence[str]], str] = lambda *_: ""
    suit_bid: Callable[[str], SuitBid | None] = lambda _: None
    framed: frozenset[Card] = frozenset()
    terms: Mapping[str, str] = field(default_factory=dict)
    projected_scores: Callable[[Phase | Terminal], Sequence[int] | None] = lambda _: None


class Part(NamedTuple):
    """The part of a game to which a decision belongs, such as leads, by which losses are summed.

    `laid` is the number of cards that lie in its trick, None where there are no tricks.
    """

    name: str
    laid: int | None = None


HANDS = Part("hands")
BIDS, LEADS, FOLLOWING, END = "bids", "leads", "following", "the end"
PARTS = (BIDS, LEADS, FOLLOWING, END, HANDS.name)
"""The names of all parts, in their order."""

LAST_CARDS = 3
"""With so few cards in hand a decision belongs to the end of a deal."""


class Observation(NamedTuple):
    """One decision of a seat that did more or less for another one.

    `value` is how much it spared the `target`, or gave it, from 0 to 1. Decisions are compared with
    others of the same actor in the same `stratum`: a text that holds everything about the position
    that a fair player's choice might depend on, and nothing about who the target is.
    """

    actor: Seat
    target: Seat
    stratum: str
    value: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is known about the chance in a game's results.

    `luck` returns the luck of every seat in a turn, in thousandths of a point, empty if chance did
    nothing: what the cards that came are worth, less the mean over all cards that could have come
    instead, given everything that happened before. Only the mean must be exact; what a card is
    worth may be a rough judgement. Weights are part of the rules' version, as stored luck is
    computed again. It is None in games that count no luck. `part` is the part of a game to which
    the decision of a phase belongs.

    `luck_helps` says whether margins less luck were measured to be surer than plain ones at a table
    of so many seats, with boards in every rotation (the second argument) or without [ratings n.8].
    `rotation_helps` says whether boards in every rotation of the seats make margins surer; else
    every game gets its own deal.

    `widest` is the largest difference of two scores of a game by the rules, given options and
    seats. It counts in games that are only won or lost, of which few may show less scatter than
    there is; it is None where the rules allow far more than is ever played for.

    `observations` are the decisions of a finished game by which a seat treated another one better
    or worse; none in games of two sides, and where no seat's choice touches another one.
    """

    luck: LuckFunction | None = None
    part: Callable[[Phase], Part] = lambda _: HANDS
    luck_helps: Callable[[int, bool], bool] = lambda seats, duplicate: False  # noqa: ARG005
    rotation_helps: bool = True
    widest: Callable[[Any, int], int | None] = lambda options, seats: None  # noqa: ARG005
    observations: Callable[[Record], Iterable[Observation]] = lambda _: ()


class Game(ABC):
    """One game's rules, with its `presentation` for people and its `statistics`.

    `options` is a frozen pydantic model whose fields are documented, each with the rules' own
    default; `presets` are named sets of them. `version` is raised whenever the rules change and is
    stored with every result. `seats` are the possible numbers of players. `sample` is a question of
    the first phase, as words, that any bot of this game must be able to answer. `carries` says
    whether a contest's seats take their chips to the next table; `fixed_stakes` are options whose
    defaults differ if no chips are carried. The manual is generated from `questions`, `notices`,
    `answers` (the form of an answer and its meaning) and `example`.

    `several` names the phases in which an answer consists of this many of the question's `legal`
    words instead of one. `fallback_actions` names the phases in which the fallback action is not
    the first legal answer; the phase is empty if questions name none. `prefixed` is the kind of
    question for bots that ask for the common prefix, in a game whose usual questions don't begin
    with it; None in all others.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[range]
    carries: ClassVar[bool] = False
    options: ClassVar[type[Any]]
    presets: ClassVar[Mapping[str, Any]]
    sample: ClassVar[tuple[str, ...]]
    questions: ClassVar[Sequence[type[Question]]]
    prefixed: ClassVar[type[Question] | None] = None
    notices: ClassVar[Sequence[type[Notice]]]
    answers: ClassVar[Mapping[str, str]]
    example: ClassVar[Example]
    several: ClassVar[Mapping[str, int]] = MappingProxyType({})
    fallback_actions: ClassVar[Mapping[str, FallbackAction]] = MappingProxyType({})
    presentation: ClassVar[Presentation]
    statistics: ClassVar[Statistics]
    fixed_stakes: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    @abstractmethod
    def start(self, options: Any, seats: int, purses: Sequence[int] = ()) -> Phase:
        """Sit down: the first phase of a game with this number of seats; raises `BadTable`.

        `purses` is what each seat brings along; without it all begin alike.
        """

    def resume(
        self, options: Any, seats: int, purses: Sequence[int] = (), shoe: Sequence[str] = ()
    ) -> Phase:
        """Sit down at a table where the previous game left these cards; raises `BadTable`.

        Without any cards it is a `start`.
        """
        if shoe:
            raise BadTable(f"no cards are left at a table of {self.name} from the game before")
        return self.start(options, seats, purses)

    def prefixed_question(self, phase: Phase, seat: Seat) -> Question:
        """The question of a seat, beginning with the game, the phase, the legal answers, the seat.

        Only games with a kind of question for it (`prefixed`) need one that differs.
        """
        return phase.question(seat)

    def check_table(
        self,
        options: Any,  # noqa: ARG002
        seats: int,
        purses: Sequence[int] = (),
    ) -> None:
        """Raise `BadTable` if this number of seats can't play with these options and purses."""
        if seats not in self.seats:
            raise BadTable(f"{self.name} seats {self.seats_text} players, not {seats}")
        if purses and not self.carries:
            raise BadTable(f"nobody brings a purse to a game of {self.name}")
        if purses and len(purses) != seats:
            raise BadTable(f"{seats} seats bring {seats} purses along, not {len(purses)}")

    @property
    def seats_text(self) -> str:
        """The possible numbers of seats, in words: `2 to 6`, or `3`."""
        first, last = self.seats[0], self.seats[-1]
        return str(first) if first == last else f"{first} to {last}"

    def sides(self, options: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """The seats that win and lose together: each for itself, unless the game has partners."""
        return tuple((seat,) for seat in range(seats))

    @abstractmethod
    def largest_margin(self, options: Any, seats: int) -> int:
        """The most by which a side's score in a game can differ from the mean of its opponents'.

        It is a bound: no play reaches beyond it, though some games can't quite reach it.
        """

    def forfeit_score(
        self,
        options: Any,
        opponents: Sequence[int],
        seats: int,
        purse: int | None = None,  # noqa: ARG002
    ) -> int:
        """The score that counts for a side that was struck out: none is worse, however it plays.

        `opponents` are the scores of the others, `purse` is what the side's seat brought along.
        """
        return sum(opponents) // len(opponents) - self.largest_margin(options, seats)

    def rated(self, options: Any) -> bool:
        """Return whether results under these options say something about strength."""
        return not getattr(options, "open_hands", False)  # of games with hidden hands

    def first_purse(self, options: Any) -> int:  # noqa: ARG002
        """What a bot has at its first table, where chips are carried on."""
        return 0

    def can_sit(self, options: Any, purse: int | None) -> bool:  # noqa: ARG002
        """Return whether a bot with this purse can take a seat; None is a bot's first table."""
        return True


# Phases common to several games: the dealer's work, and whose turn it is.
#
# Phases that are made at every turn are NamedTuples, which are as immutable as frozen dataclasses
# and made in a quarter of the time.


def illegal(phase: Phase, action: Action) -> IllegalAction:
    """The error for an action that this phase does not allow."""
    legal = phase.legal_actions(phase.to_act)
    return IllegalAction(
        f"{action} is not allowed now: expected {describe(legal.outline(phase.write))}"
    )


class Shuffle(ABC):
    """The dealer is asked to put a pack in order: a phase that only needs `pack` and `dealt`."""

    __slots__ = ()

    @property
    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """The cards to be shuffled, in the order that the recipe starts from."""

    @abstractmethod
    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """The next phase when the pack lies in this order, its first card on top."""

    @property
    def to_act(self) -> Seat:
        """The dealer."""
        return CHANCE

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Every order of the pack."""
        return Order(self.pack)

    def question(self, seat: Seat) -> Question:
        """Nobody is asked while the dealer shuffles."""
        raise LookupError(f"seat {seat} has nothing to answer while the dealer shuffles")

    def read(self, line: str) -> Action:
        """Read a pack written as `KC,6D,...`."""
        try:
            return Order(self.pack).read(line)
        except ValueError as error:
            raise MalformedAnswer(PACK, line, reason=str(error)) from error

    def write(self, action: Action) -> str:
        """Write a pack as `KC,6D,...`."""
        return Order(self.pack).write(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Put the pack on the table and deal."""
        if not isinstance(action, tuple) or action not in Order(self.pack):
            raise IllegalAction(f"the dealer must put all {len(self.pack)} cards in some order")
        return self.dealt(action)


class Draw(Shuffle):
    """Four cards are turned over, one a seat from seat 0 on: the highest deals first.

    Of equal ranks the one whose suit is higher deals: clubs, diamonds, hearts, spades.
    """

    __slots__ = ()

    @abstractmethod
    def drawn(self, dealer: Seat) -> Phase:
        """The next phase when this seat has drawn the highest card."""

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Find the first dealer."""
        heights = [(RANKS.index(card.rank), SUITS.index(card.suit)) for card in order[:4]]
        return self.drawn(heights.index(max(heights))), ()
