"""A record as a replay: the table after every turn, its parts and its turning points.

This works for every game: its rules replay the record and draw the scenes, and the words come from
the game's own manual.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.question_file import AnyMatch
from card_arena.leaderboard.web import card_svg
from card_arena.ratings.match_results import board_margin, counted
from card_arena.tables.cards import SUIT_NAMES, SUIT_SIGNS, Card, card
from card_arena.tables.choices import Cards, Number, choices
from card_arena.tables.drawing import fanned, with_suit_signs
from card_arena.tables.game import CHANCE, Game, Phase, Seat, Terminal
from card_arena.tables.legal_actions import Either, LegalActions, Order, Pick
from card_arena.tables.luck import UNIT
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, replay
from card_arena.tables.scene import Pile, Place, Scene, Shown
from card_arena.tables.transcript import play_example

CARD, HELD = 0.45, 1.0
"""Seconds between two turns that are shown, and after a finished stage, such as a trick."""


class Kind(StrEnum):
    """The kind of a frame."""

    MOVE = "move"
    FAULT = "fault"
    STAND_IN = "fallback action"
    DEAL = "deal"
    SHUFFLE = "shuffle"
    END = "end"


@dataclass(frozen=True, slots=True)
class DescribedTurn:
    """One turn: the scenes before and after it, and its description.

    `cards` are those that left the hand of the seat, by its action.

    The scene `after` the last turn is the game's `Presentation.ending`.
    """

    step: Step
    before: Scene
    after: Scene
    kind: Kind
    verb: str
    words: Markup
    cards: frozenset[Card]
    remark: str

    @property
    def ends_stage(self) -> bool:
        """Whether another stage begins after this turn, such as the next trick."""
        return bool(self.after.stage and self.after.stage != self.before.stage)

    @property
    def action(self) -> str:
        """The action as the bot wrote it, empty where `words` is clear enough."""
        return "" if self.verb else self.step.turn.action


def described(game: Game, step: Step, before: Scene, names: Sequence[str]) -> DescribedTurn:
    """Describe a turn; `before` is the scene before it."""
    after, turn = scene_after(game, step), step.turn
    verb, text, cards = "", Markup(""), frozenset[Card]()
    if turn.seat != CHANCE:
        held = _hand(before, turn.seat)
        left = held - _hand(after, turn.seat)
        choice = step.before.legal_actions(turn.seat)
        verb, text = describe_action(game, choice, turn.action, held, left)
        named = {card for word in turn.action.split(" ") for card in _cards_in(word)}
        cards = frozenset(named & left)
    remark = game.presentation.remark(step.before, step.after, names)
    return DescribedTurn(step, before, after, _kind(step), verb, text, cards, remark)


def scene_after(game: Game, step: Step) -> Scene:
    """The scene after a step; after the last one it is the game's `Presentation.ending`."""
    ending = game.presentation.ending
    if isinstance(step.after, Terminal) and ending:
        return ending(step.before, step.before.read(step.turn.action), step.after)
    return game.presentation.scene(step.after)


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive turns under one title, such as "hand 3 of 5": from `first` to `last`."""

    title: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Swing:
    """A turn that changed what the game would come to, by `points` in favour of `seats`.

    The points are the change of the margin of these seats by projected scores (see
    `tables.game.Presentation`), less the luck of the turn.
    """

    turn: int
    points: float
    seats: tuple[Seat, ...]


Slots = tuple[tuple[Card, ...], ...]
"""For each place of a scene, the cards of its hand in the order of their fixed slots."""


class Steps(ABC):
    """What is gone through step by step: the turns of a game, or those of two tables."""

    parts: Sequence[Part]

    @property
    @abstractmethod
    def length(self) -> int:
        """How many steps there are."""

    @property
    @abstractmethod
    def stages(self) -> tuple[int, ...]:
        """The steps after which another stage begins, such as the next trick."""

    @property
    def holds(self) -> frozenset[int]:
        """The steps after which a player pauses: the ends of stages and of parts."""
        return frozenset((*self.stages, *(part.last for part in self.parts)))

    @property
    def stops(self) -> Sequence[int]:
        """The steps at which a reader who goes by stages stops."""
        return sorted({*self.stages, *(part.first for part in self.parts), self.length - 1})


class Replay(Steps):
    """A game, turn by turn, as far as it was played: `add` continues it.

    `names` are those of the seats, `sides` the seats that win and lose together. `turns` are
    described; `slots` are those of the hands after each turn; `swings` are the turns that changed
    what the game would come to. At a `round_table` people hold cards or have cards between them,
    else they sit in a row before the dealer; `tricks` says whether they play cards to the table.
    """

    def __init__(
        self, game: Game, names: Sequence[str], sides: Sequence[tuple[Seat, ...]] = ()
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.round_table, self.tricks = style_of(game)
        self.sides = sides or tuple((seat,) for seat in range(len(names)))
        self._side_of = [
            next(number for number, side in enumerate(self.sides) if seat in side)
            for seat in range(len(names))
        ]
        self.turns: list[DescribedTurn] = []
        self.slots: list[Slots] = []
        self.swings: list[Swing] = []
        self._slots: dict[Seat, tuple[Card, ...]] = {}
        self.projected: list[Sequence[int] | None] = []
        """The projected scores after each turn."""

    def add(self, step: Step) -> None:
        """Add the next turn."""
        before = self.turns[-1].after if self.turns else self.game.presentation.scene(step.before)
        turn = described(self.game, step, before, self.names)
        self.turns.append(turn)
        self._give_slots(turn.after)
        self._find_swing(turn)

    def _give_slots(self, scene: Scene) -> None:
        """Give each card of a hand a slot that it keeps until other cards come into the hand."""
        for place in scene.places:
            hand = {shown.card for shown in place.cards}
            if place.in_hand and not (hand and hand <= {*self._slots.get(place.seat, ())}):
                self._slots[place.seat] = tuple(shown.card for shown in fanned(place.cards))
        self.slots.append(tuple(self._slots.get(place.seat, ()) for place in scene.places))

    def _find_swing(self, turn: DescribedTurn) -> None:
        """Note the change of the projected margins by a seat's turn, less its luck."""
        luck = self.game.statistics.luck
        before = self.projected[-1] if self.projected else None
        after = self.game.presentation.projected_scores(turn.step.after)
        self.projected.append(after)
        if turn.step.turn.seat == CHANCE or before is None or after is None:
            return
        changes = [float(now - then) for now, then in zip(after, before, strict=True)]
        chance = luck(turn.step.before, turn.step.after) if luck else ()
        if chance:
            changes = [
                change - gained / UNIT for change, gained in zip(changes, chance, strict=True)
            ]
        gains = margins(changes, self._side_of)
        points = max(gains)
        if points > 0:
            best = next(side for side in self.sides if gains[side[0]] == points)
            self.swings.append(Swing(len(self.turns) - 1, points, tuple(best)))

    @cached_property
    def parts(self) -> tuple[Part, ...]:  # type: ignore[override]
        """The parts of a game that is over."""
        parts = []
        for title, group in groupby(enumerate(self.turns), key=lambda pair: pair[1].after.title):
            numbers = [number for number, _ in group]
            parts.append(Part(title, numbers[0], numbers[-1]))
        return tuple(parts)

    @cached_property
    def deck(self) -> frozenset[Card]:
        """Every card that is seen in a game that is over."""
        return frozenset(card for turn in self.turns for card in _cards_of(turn.after))

    @property
    def unit(self) -> str:
        """The game's word for its parts: "round" where their titles are "round 1" and so on."""
        matches = (re.match(r"([a-z]+) \d", part.title) for part in self.parts)
        return next((title[1] for title in matches if title), "part")

    @property
    def opening(self) -> int:
        """The first turn after which somebody is to act with cards on the table."""
        return next(
            (
                number
                for number, turn in enumerate(self.turns)
                if any(place.to_act for place in turn.after.places) and any(_cards_of(turn.after))
            ),
            0,
        )

    @property
    def stages(self) -> tuple[int, ...]:
        return tuple(number for number, turn in enumerate(self.turns) if turn.ends_stage)

    @property
    def length(self) -> int:
        return len(self.turns)

    def margins(self) -> Iterator[tuple[float, ...]]:
        """The projected margin of every seat after each turn; before there is one, the last one."""
        latest = (0.0,) * len(self.names)
        for scores in self.projected:
            latest = latest if scores is None else margins(scores, self._side_of)
            yield latest

    def frame(self, number: int, seen_by: Seat | None = None, turned: int = 0) -> Frame:
        """Draw the table after a turn.

        With `seen_by` it is drawn as this seat saw it, or as a spectator with -1. The seats are
        `turned` so many places around the table.
        """
        turn = self.turns[number]
        following = self.turns[number + 1] if number + 1 < len(self.turns) else None
        before, after = turn.before, turn.after
        if seen_by is not None:
            before, after = before.seen_by(seen_by), after.seen_by(seen_by)
            turn = _as_seen(turn, before, after)
            if following and following.step.turn.seat != seen_by:
                following = None
        earlier = before if before.title == after.title else None
        return Frame(
            turn,
            _upcoming(self.game, following),
            after,
            _facts(after.facts, earlier.facts if earlier else ()),
            tuple(heaps(earlier, after)),
            tuple(
                _spots(
                    earlier,
                    after,
                    turn.step.turn.seat,
                    self.slots[number],
                    lambda seat: seat if seat == CHANCE else (seat + turned) % len(self.names),
                )
            ),
        )


def replay_of(game: Game, record: Record, names: Sequence[str]) -> Replay:
    """Replay a record; raises `tables.referee.BadRecord` if it is inconsistent.

    `names` are those of the seats, for the game's own remarks.
    """
    result = Replay(game, names, game.sides(game.options(**record.options), record.seats))
    for step in replay(game, record):
        result.add(step)
    return result


def _as_seen(turn: DescribedTurn, before: Scene, after: Scene) -> DescribedTurn:
    """The turn without the names of cards that can't be seen before and after it."""
    seen = {*_cards_of(before), *_cards_of(after)}
    hidden = turn.cards - seen
    if not hidden:
        return turn
    words = escape(f"{len(turn.cards)} card{'s' * (len(turn.cards) != 1)}")
    return replace(turn, words=words, verb=turn.verb or "chooses")


MOST_TURNING_POINTS = 6
"""The most turning points that are shown of a game."""

SMALLEST_SHARE = 0.2
"""A turning point's least share of the largest swing of its game."""

SMALLEST_OF_MARGIN = 0.02
"""A turning point's least share of the margin at the end."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A step that readers may want to go to: a "part", a "swing", a "parted" decision, a "fault".

    `points` is what the table changed by, if that is known.
    """

    step: int
    kind: str
    label: str
    note: str
    points: float | None = None


def chapters(
    turns: Sequence[DescribedTurn], swings: Sequence[Swing], names: Sequence[str]
) -> Iterator[Chapter]:
    """The largest swings of a game, and its faults."""
    largest = sorted(swings, key=lambda swing: -swing.points)[:MOST_TURNING_POINTS]
    end = turns[-1].step.after
    spread = max(end.scores) - min(end.scores) if isinstance(end, Terminal) else 0
    least = SMALLEST_SHARE * max((swing.points for swing in largest), default=0.0)
    least = max(least, SMALLEST_OF_MARGIN * spread)
    for swing in largest:
        if swing.points >= least:
            before = turns[swing.turn].before
            bots = [*dict.fromkeys(bot_name(names[seat]) for seat in swing.seats)]
            note = f"{' and '.join(bots)} gain{'s' * (len(bots) == 1)}"
            label = str(before.stage or before.title)
            yield Chapter(swing.turn, "swing", label, note, swing.points)
    for turn in turns:
        fault = turn.step.turn.fault
        if fault:
            name = names[turn.step.turn.seat]
            yield Chapter(turn.step.number, "fault", f"fault: {fault.kind}", name)


@lru_cache
def style_of(game: Game) -> tuple[bool, bool]:
    """Whether seats are around a table, and whether they play cards to it.

    The game's example shows both.
    """
    scenes: list[Scene] = []
    play_example(game, lambda step: scenes.append(game.presentation.scene(step.before)))
    tricks = any(place.played for scene in scenes for place in scene.places)
    held = any(place.in_hand for scene in scenes for place in scene.places)
    return tricks or held or any(scene.piles for scene in scenes), tricks


def _cards_of(scene: Scene) -> Iterator[Card]:
    for place in scene.places:
        yield from (shown.card for shown in (*place.cards, *place.played))
    for pile in scene.piles:
        yield from (shown.card for shown in pile.cards)


def _hand(scene: Scene, seat: Seat) -> Set[Card]:
    places = (place for place in scene.places if place.seat == seat and place.in_hand)
    return {shown.card for place in places for shown in place.cards}


def _kind(step: Step) -> Kind:
    if isinstance(step.after, Terminal) and step.turn.seat == CHANCE:
        return Kind.END
    if step.turn.seat == CHANCE:
        order = isinstance(step.before.legal_actions(CHANCE), Order)
        return Kind.SHUFFLE if order else Kind.DEAL
    if step.turn.fault:
        return Kind.FAULT
    return Kind.MOVE if step.turn.question else Kind.STAND_IN


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value; `changed` where it was another one before this turn."""

    label: str
    value: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards in the middle of the table; `label` is empty where they need no word."""

    label: str
    cards: Markup


@dataclass(frozen=True, slots=True)
class Spot:
    """A place at the table as a page draws it: its cards, and those that it played to this trick.

    It is `at` a position on the page, 0 in front.
    """

    place: Place
    at: int
    cards: Markup
    played: Markup
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The turn that follows: what the seat to act may do, and what it did."""

    turn: DescribedTurn
    actions: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a turn, and what has changed by it."""

    turn: DescribedTurn
    upcoming: Upcoming | None
    scene: Scene
    facts: tuple[Fact, ...]
    heaps: tuple[Heap, ...]
    spots: tuple[Spot, ...]


def _spots(
    before: Scene | None, after: Scene, acted: Seat, slots: Slots, turn_to: Callable[[Seat], int]
) -> Iterator[Spot]:
    """Draw the places of a scene; cards that are new since `before` are marked."""
    earlier = {place.seat: place for place in before.places} if before else {}
    for place, hand in zip(after.places, slots, strict=True):
        was = earlier.get(place.seat)
        is_new = place.seat == acted != CHANCE
        yield Spot(
            place,
            turn_to(place.seat),
            cards=(
                card_svg.hand(place.cards, hand)
                if place.in_hand
                else _row(place.cards, was.cards if was else ())
            ),
            played=card_svg.row(place.played, "", _fresh(place, was) if is_new else frozenset()),
            facts=_facts(place.facts, was.facts if was else ()),
        )


def _fresh(place: Place, was: Place | None) -> frozenset[int]:
    """The indices of the cards played by a seat that are new."""
    earlier = was.played if was else ()
    return frozenset(at for at, shown in enumerate(place.played) if shown not in earlier)


def heaps(before: Scene | None, after: Scene) -> Iterator[Heap]:
    """Draw the piles in the middle."""
    earlier = {shown.card for pile in before.piles for shown in pile.cards} if before else set()
    for pile in after.piles:
        fresh = frozenset(
            at
            for at, shown in enumerate(pile.cards)
            if before and not shown.face_down and shown.card not in earlier
        )
        yield Heap(pile.label, card_svg.row(pile.cards, _kind_of(pile), fresh))


SIDE_BY_SIDE = 3
"""How many cards of a pile lie side by side; more of them overlap."""


def _kind_of(pile: Pile) -> str:
    if not pile.label:
        return "pair"
    return "" if len(pile.cards) <= SIDE_BY_SIDE else "fan"


def _facts(facts: Sequence[tuple[str, str]], then: Sequence[tuple[str, str]]) -> tuple[Fact, ...]:
    """Write labelled values, and mark those that are other than `then`."""
    was = dict(then)
    return tuple(
        Fact(label, with_suit_signs(value), was.get(label, value) != value)
        for label, value in facts
    )


def _row(held: tuple[Shown, ...], was: Sequence[Shown]) -> Markup:
    """Draw open cards; new and turned ones are marked."""
    fresh = frozenset(
        at for at, shown in enumerate(held) if was and (at >= len(was) or was[at] != shown)
    )
    return card_svg.row(held, "", fresh)


def _upcoming(game: Game, turn: DescribedTurn | None) -> Upcoming | None:
    """Describe the turn that follows; None at the end and where nobody is asked."""
    if turn is None or not turn.step.turn.question:
        return None
    return Upcoming(turn, tuple(map(_in_words, options(game, turn.step.before))))


def _in_words(option: Option) -> Markup:
    if option.number is None:
        return option.drawn
    return Markup("{} {} to {}").format(option.drawn, option.number.low, option.number.high)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the seat to act may do: its answer, and its drawing.

    `card` is set if it is to play this one card and nothing else. A `number` or `pick` of cards
    has no answer before it is chosen; a number is drawn as what goes with it, such as a suit.
    """

    answer: str
    drawn: Markup
    card: Card | None = None
    number: Number | None = None
    pick: Cards | None = None


def options(game: Game, phase: Phase) -> Iterator[Option]:
    """Draw what the seat to act may do: single actions, or a range or a pick in words."""
    legal = phase.legal_actions(phase.to_act)
    for choice in legal.choices if isinstance(legal, Either) else (legal,):
        actions = getattr(choice, "actions", None)
        if actions is not None:
            yield from (_option(game, phase.write(action), action) for action in actions)
            continue
        for one in choices(choice, phase.write):
            if isinstance(one, Number):
                yield Option("", _number_label(game, one), number=one)
            elif isinstance(one, Cards):
                yield Option("", escape(f"{one.count} cards"), pick=one)
            else:
                yield Option(one.answer, _named(game, one.answer) or _bid(game, one.answer))


def _number_label(game: Game, number: Number) -> Markup:
    """Name what goes with a number: the suit of a bid, or the word for the action."""
    bid = game.presentation.suit_bid(number.answer(number.low))
    if bid is None:
        word = number.before.strip() or number.after.strip()
        return _named(game, word) or escape(word)
    strain = SUIT_SIGNS.get(bid.suit) or bid.level.replace(str(number.low), "").strip()
    return escape(strain + bid.more)


def _option(game: Game, word: str, action: object) -> Option:
    parts = action if isinstance(action, tuple | frozenset) else (action,)
    cards = {part for part in parts if isinstance(part, Card)}
    if not cards:
        return Option(word, _named(game, word) or _bid(game, word))
    drawn = Markup(" ").join(_pictured(text, cards) for text in word.split(" "))
    return Option(word, drawn, action if isinstance(action, Card) and word == action else None)


def describe_action(
    game: Game, choice: LegalActions, action: str, held: Set[Card], left: Set[Card]
) -> tuple[str, Markup]:
    """Describe an action: a verb, and its object in the manual's words or as pictures of cards.

    `choice` is what the seat could choose from. `held` is its hand before the action, and `left`
    are the cards that left it: so `9H` is a card that was played, or else a bid. `B 15` is "bet 15"
    where the manual explains `B n` as "bet: ..."; an action without such a word gets "says".
    """
    first, *rest = action.split(" ")
    if any(card in left for card in _cards_in(first)):
        verb = choice.verb if isinstance(choice, Pick) else "plays"
        return verb, Markup(" ").join(_pictured(word, held) for word in (first, *rest))
    words = [_pictured(word, held) for word in rest]
    name = _named(game, first)
    if name:
        return "", Markup(" ").join((name, *words))
    return "says", Markup(" ").join((_bid(game, first), *words))


def drawn_answer(game: Game, answer: str) -> Markup:
    """Draw an answer without its position: its cards, its bid, or the manual's word for it."""
    first, *rest = (_pictured(word, {*_cards_in(word)}) for word in answer.split(" "))
    word = answer.split(" ")[0]
    if not any(_cards_in(word)):
        first = _named(game, word) or _bid(game, word)
    return Markup(" ").join((first, *rest))


def _named(game: Game, word: str) -> Markup:
    """The manual's word for an answer, empty if it has none."""
    for form, meaning in game.answers.items():
        name = _name(meaning)
        if form.split(" ")[0] == word and name:
            return escape(name)
    return Markup("")


def _name(meaning: str) -> str:
    """The single word that an answer's explanation begins with, perhaps after its phase."""
    opening = [clause.strip() for clause in re.split("[:;,]", meaning)[:2]]
    return next((clause for clause in opening if clause.isalpha()), "")


def _cards_in(word: str) -> Iterator[Card]:
    """The cards that are named in a word such as `A1,A2` or `7H+7S`."""
    for part in re.split("[,+]", word):
        with suppress(ValueError):
            yield card(part)


def _pictured(word: str, held: Set[Card]) -> Markup:
    """Draw the parts of a word that are cards of the hand, and keep the others as they are."""
    named = {str(card): card for card in _cards_in(word) if card in held}
    parts = [
        card_svg.chip(named[part]) if part in named else escape(part)
        for part in re.split("([,+])", word)
    ]
    return Markup("").join(Markup(" ") if part == "," else part for part in parts)


def _bid(game: Game, word: str) -> Markup:
    """Draw a bid that names a suit with its sign; any other word stays as it is."""
    bid = game.presentation.suit_bid(word)
    if not bid:
        return escape(word)
    if not bid.suit:
        return escape(str(bid))
    drawn = card_svg.suited(bid.level, bid.suit, f"{bid.level} {SUIT_NAMES[bid.suit]}")
    return drawn + escape(bid.more)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of a match: its `number` in the match and its `rotation`, both from 1.

    For each entrant it has the seats, and the score of its side.
    """

    number: int
    rotation: int
    seats: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The games that were dealt the same packs; `number` counts from 1.

    `margins` hold every entrant's score on this board minus the mean of its opponents'.
    """

    number: int
    games: tuple[Sitting, ...]
    scores: tuple[int, ...]
    margins: tuple[float, ...]


def boards(match: MatchDetail) -> tuple[Board, ...]:
    """Group the games of a match by the packs that were dealt."""
    sides = [seat.side for seat in match.entrants]
    games = zip(match.games, match.records, strict=True)
    boards = []
    for board, group in groupby(games, key=lambda pair: pair[0].board):
        played = []
        for rotation, (game, record) in enumerate(group, start=1):
            seats = tuple(
                tuple(seat for seat, sitting in enumerate(game.seating) if sitting == entrant)
                for entrant in range(len(sides))
            )
            scores = tuple(record.over.scores[first] for first, *_ in seats)
            played.append(Sitting(game.number, rotation, seats, scores))
        totals = tuple(map(sum, zip(*(game.scores for game in played), strict=True)))
        boards.append(Board(board, tuple(played), totals, margins(totals, sides)))
    return tuple(boards)


def totals(match: MatchDetail) -> tuple[tuple[int, float], ...]:
    """Every entrant's score and its margin over all boards, as it counts for the season.

    The margin is the sum of its boards' margins, unless a bot was struck out.
    """
    sides = [seat.side for seat in match.entrants]
    margins_of_games = [
        board_margin(scores, sides, penalties)
        for record, seating in zip(match.records, match.seatings, strict=True)
        for scores, penalties in [counted(record, seating, sides)]
    ]
    return tuple(
        (seat.score, float(sum(column)))
        for seat, column in zip(match.entrants, zip(*margins_of_games, strict=True), strict=True)
    )


def margins(scores: Sequence[float], sides: Sequence[int]) -> tuple[float, ...]:
    """Every entrant's score minus the mean of the other sides' scores; 0 without another side."""
    result = []
    for score, side in zip(scores, sides, strict=True):
        others = [other for other, its in zip(scores, sides, strict=True) if its != side]
        result.append(score - sum(others) / len(others) if others else 0.0)
    return tuple(result)


def bot_name(name: str) -> str:
    """The name of a bot without the seat that tells it from a namesake: "davey (seat 2)"."""
    return name.partition(" (seat ")[0]


def seat_names(match: AnyMatch, number: int) -> list[str]:
    """The names of the seats in a game of a match, distinct for each seat."""
    bots = Counter(seat.bot for seat in match.entrants)
    names = [
        seat.bot if bots[seat.bot] == 1 else f"{seat.bot} v{seat.version}"
        for seat in match.entrants
    ]
    seating = match.seatings[number]
    return [
        names[entrant] + (f" (seat {seat})" if seating.count(entrant) > 1 else "")
        for seat, entrant in enumerate(seating)
    ]


IN_HAND = "cards in hand"
"""The value of each seat in a game that counts nothing until its end."""


@dataclass(frozen=True, slots=True)
class PartResult:
    """The end of a part: a (value, note) pair for each column, and why it came to that."""

    part: Part
    cells: tuple[tuple[str, str], ...]
    why: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A replay as a table with a row for each part and a column for each side or seat.

    `label` says which value is shown: the score of sides, else the fact that the game's last scene
    names first ("chips"), or `IN_HAND` where seats have no such fact while they play.
    """

    label: str
    columns: tuple[tuple[Seat, ...], ...]
    rows: tuple[PartResult, ...]


def summary(replay: Replay) -> Summary | None:
    """Summarise a replay by its parts; None if no value is shown at the end of every part."""
    lasts = [replay.turns[part.last] for part in replay.parts]
    end = lasts[-1].after
    if end.sides:
        label, columns = "score", tuple(side.seats for side in end.sides)
    else:
        seated = _seated(end)
        columns = tuple((place.seat,) for place in seated)
        label = next((place.facts[0][0] for place in seated if place.facts), "")
        if not all(label in dict(place.facts) for last in lasts for place in _seated(last.after)):
            label = IN_HAND
    rows = [
        PartResult(part, _cells(last.after, label, columns), last.remark)
        for part, last in zip(replay.parts, lasts, strict=True)
        if last.kind is not Kind.END
    ]
    rows = [row for row in rows if len(row.cells) == len(columns)]
    return Summary(label, columns, tuple(rows)) if rows else None


def _cells(scene: Scene, label: str, columns: Sequence[object]) -> tuple[tuple[str, str], ...]:
    """The value and the note of each column; fewer where the scene does not show them."""
    if scene.sides:
        return tuple(
            (str(side.score), ", ".join(" ".join(fact) for fact in side.facts))
            for side in scene.sides
        )
    seated = _seated(scene)
    if label == IN_HAND:
        return tuple((str(len(place.cards)), place.status) for place in seated if place.in_hand)
    return tuple((dict(place.facts)[label], place.status) for place in seated)[: len(columns)]


def _seated(scene: Scene) -> list[Place]:
    return [place for place in scene.places if place.seat != CHANCE]


# Two tables of one board: the same packs, played by other bots in the same seats.


@dataclass(frozen=True, slots=True)
class PairedStep:
    """A turn of each of two tables, in step by part, stage and place in the stage.

    `parted` is set where both seats decided in the same position, and differently: how many points
    the difference of the tables changes by until the next such decision of the part.
    """

    turns: tuple[int, int]
    parted: float | None = None


@dataclass(frozen=True, slots=True)
class PairedPart(Part):
    """A part of two tables.

    `difference` is how much more the part brought `seat` at the first table than at the second, as
    a margin: the seat for which that is the most. The `parted` of its steps add up to it.
    """

    seat: Seat
    difference: float


@dataclass(frozen=True)
class PairedTables(Steps):
    """Two replays of a board in step with each other."""

    replays: tuple[Replay, Replay]
    steps: tuple[PairedStep, ...]
    parts: tuple[PairedPart, ...]

    @property
    def length(self) -> int:
        return len(self.steps)

    @property
    def stages(self) -> tuple[int, ...]:
        """The steps at which a stage is complete at the first table."""
        first = {step.turns[0]: at for at, step in reversed([*enumerate(self.steps)])}
        return tuple(sorted(first[turn] for turn in self.replays[0].stages))


def paired(one: Replay, other: Replay) -> PairedTables:
    """Put two tables of a board in step.

    The difference of two tables at a step is the difference of a seat's projected margins, each
    counted from the beginning of the part.
    """
    replays = (one, other)
    keys = [_keys(replay) for replay in replays]
    numbers = [{key: number for number, key in enumerate(own)} for own in keys]
    margins = [[*replay.margins()] for replay in replays]
    steps: list[PairedStep] = []
    parts: list[PairedPart] = []
    at = [0, 0]
    base = [0.0] * len(one.names)
    for part, group in groupby(sorted({*keys[0], *keys[1]}), key=lambda key: key[0]):
        first, marks, differences = len(steps), list[int](), list[list[float]]()
        for key in group:
            at = [own.get(key, now) for own, now in zip(numbers, at, strict=True)]
            turns = [replay.turns[now] for replay, now in zip(replays, at, strict=True)]
            if all(key in own for own in numbers) and _decided_differently(*turns):
                marks.append(len(differences))
            steps.append(PairedStep((at[0], at[1])))
            pair = zip(margins[0][at[0]], margins[1][at[1]], strict=True)
            differences.append([here - there for here, there in pair])
        last = differences[-1]
        seat = max(range(len(base)), key=lambda seat: abs(last[seat] - base[seat]))
        before = base[seat]
        for mark, following in pairwise([*marks, len(differences)]):
            until = differences[following - 1][seat]
            steps[first + mark] = replace(steps[first + mark], parted=until - before)
            before = until
        title = next(replay.parts[part].title for replay in replays if part < len(replay.parts))
        gain = last[seat] - base[seat]
        parts.append(PairedPart(title, first, len(steps) - 1, seat, gain))
        base = last
    return PairedTables(replays, tuple(steps), tuple(parts))


Key = tuple[int, int, int]
"""A turn's part, its stage in the part, and its place in the stage."""


def _keys(replay: Replay) -> list[Key]:
    keys: list[Key] = []
    counts: Counter[tuple[int, int]] = Counter()
    for number, part in enumerate(replay.parts):
        for turn in replay.turns[part.first : part.last + 1]:
            same_part = turn.before.title == part.title
            stage = turn.before.stage.number if turn.before.stage and same_part else 0
            keys.append((number, stage, counts[number, stage]))
            counts[number, stage] += 1
    return keys


def _decided_differently(one: DescribedTurn, other: DescribedTurn) -> bool:
    """Whether the same seat had the same cards before it on both tables and acted differently."""
    first, second = one.step.turn, other.step.turn
    return (
        first.seat == second.seat != CHANCE
        and first.action != second.action
        and _cards_before(one) == _cards_before(other)
    )


def _cards_before(turn: DescribedTurn) -> object:
    scene = turn.before
    return [(place.cards, place.played) for place in scene.places], scene.piles
