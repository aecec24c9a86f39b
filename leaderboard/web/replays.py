"""A record as a replay: parts made of frames, each a drawing of the table after one turn.

This works for every game: its rules replay the record and draw the scenes, and the words come from
the game's own manual.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from markupsafe import Markup, escape

from common.faults import FaultEvent
from leaderboard.matches import MatchDetail
from leaderboard.web import card_svg
from ratings.match_results import board_margin, counted
from tables.cards import SUIT_NAMES, Card, card
from tables.drawing import fanned, with_suit_signs
from tables.encoding import quoted
from tables.game import CHANCE, Game, Seat, Terminal
from tables.legal_actions import LegalActions, Order, Pick
from tables.record import Record
from tables.referee import Step, replay
from tables.scene import Place, Scene, Shown

SIDE_BY_SIDE = 3
"""How many cards of a pile lie side by side; more of them overlap."""


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
    """One place at the table as a page draws it; `acted` marks the seat whose turn this was.

    `held` is how many cards it has in its hand, None where it holds none that the others don't
    see. `played` is its card in this trick.
    """

    seat: Seat
    cards: Markup
    held: int | None
    played: Markup
    facts: tuple[Fact, ...]
    status: str
    took: bool
    to_act: bool
    acted: bool

    def value(self, label: str) -> str:
        return next((fact.value for fact in self.facts if fact.label == label), "")


def spots(before: Scene | None, after: Scene, acted: Seat) -> Iterator[Spot]:
    """Draw the places of a scene; cards that are new since `before` are marked."""
    then = {place.seat: place for place in before.places} if before else {}
    for place in after.places:
        was = then.get(place.seat)
        hand = (
            card_svg.row(fanned(place.cards), "fan")
            if place.in_hand
            else _row(place.cards, was.cards if was else ())
        )
        mine = place.seat == acted != CHANCE
        yield Spot(
            seat=place.seat,
            cards=hand,
            held=len(place.cards) if place.in_hand else None,
            played=card_svg.row(place.played, "", _notices(place, was) if mine else frozenset()),
            facts=facts(place.facts, was.facts if was else ()),
            status=place.status,
            took=place.took,
            to_act=place.to_act,
            acted=mine,
        )


def _notices(place: Place, was: Place | None) -> frozenset[int]:
    """The places of the cards of a seat on the table that are new."""
    then = was.played if was else ()
    return frozenset(at for at, shown in enumerate(place.played) if shown not in then)


def heaps(before: Scene | None, after: Scene) -> Iterator[Heap]:
    """Draw the piles in the middle."""
    then = {shown.card for pile in before.piles for shown in pile.cards} if before else set()
    for pile in after.piles:
        fresh = frozenset(
            at
            for at, shown in enumerate(pile.cards)
            if before and not shown.face_down and shown.card not in then
        )
        kind = "" if len(pile.cards) <= SIDE_BY_SIDE else "fan"
        yield Heap(pile.label, card_svg.row(pile.cards, kind if pile.label else "pair", fresh))


def facts(facts: Sequence[tuple[str, str]], then: Sequence[tuple[str, str]]) -> tuple[Fact, ...]:
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
    for form, meaning in game.answers.items():
        name = _name(meaning)
        if form.split(" ")[0] == first and name:
            return "", Markup(" ").join((escape(name), *words))
    return "says", Markup(" ").join((_bid(game, first), *words))


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
class Outcome:
    """The result of an entrant in one game: its seats, and its side's score."""

    seats: tuple[Seat, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of a match: its `number` in the match and its `rotation`, both from 1."""

    number: int
    rotation: int
    outcomes: tuple[Outcome, ...]


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
        played = tuple(
            Sitting(
                game.number,
                rotation,
                tuple(
                    _outcome(game.seating, record.over.scores, entrant)
                    for entrant in range(len(sides))
                ),
            )
            for rotation, (game, record) in enumerate(group, start=1)
        )
        scores = tuple(
            sum(game.outcomes[entrant].score for game in played) for entrant in range(len(sides))
        )
        boards.append(Board(board, played, scores, margins(scores, sides)))
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


def margins(scores: Sequence[int], sides: Sequence[int]) -> tuple[float, ...]:
    """Every entrant's score minus the mean of the other sides' scores; 0 without another side."""
    result = []
    for score, side in zip(scores, sides, strict=True):
        others = [other for other, its in zip(scores, sides, strict=True) if its != side]
        result.append(score - sum(others) / len(others) if others else 0.0)
    return tuple(result)


def _outcome(seating: Sequence[int], scores: Sequence[int], entrant: int) -> Outcome:
    seats = tuple(seat for seat, sitting in enumerate(seating) if sitting == entrant)
    return Outcome(seats, scores[seats[0]])


def seat_names(match: MatchDetail, number: int) -> list[str]:
    """The names of the seats in a game of a match, distinct for each seat."""
    bots = Counter(seat.bot for seat in match.entrants)
    seats_held = Counter(match.seatings[number])
    return [
        (seat.bot if bots[seat.bot] == 1 else f"{seat.bot} v{seat.version}")
        + (f" (seat {place})" if seats_held[entrant] > 1 else "")
        for place, (entrant, seat) in enumerate(
            zip(match.seatings[number], match.at_table(number), strict=True)
        )
    ]


class Kind(StrEnum):
    """The kind of a frame."""

    MOVE = "move"
    FAULT = "fault"
    STAND_IN = "fallback action"
    DEAL = "deal"
    SHUFFLE = "shuffle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one turn.

    `number` is the turn's number in the record. `verb` and `words` describe the action; `action` is
    the action as the bot wrote it, empty if `words` are clear. `remark` is the outcome of the turn.
    `question` is empty where the seat was not asked, and `answer` is shortened. `wall` and
    `cpu` are microseconds, `peak` bytes of memory.
    """

    number: int
    kind: Kind
    seat: Seat
    verb: str
    words: Markup
    action: str
    remark: str
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int
    fault: FaultEvent | None
    facts: tuple[Fact, ...]
    heaps: tuple[Heap, ...]
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive frames under one title, such as "hand 3 of 5"."""

    title: str
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game: its parts, and every card that is seen in them.

    `round_table` is set for games in which people sit around a table, holding hands of cards or
    with cards between them; otherwise they sit in a row before the dealer. `tricks` is set if they
    play cards to the table. `framed` are the cards that the game wants to stand out.
    """

    parts: tuple[Part, ...]
    deck: frozenset[Card]
    framed: frozenset[Card]
    round_table: bool
    tricks: bool

    @property
    def unit(self) -> str:
        """The game's word for its parts: "round" where their titles are "round 1" and so on."""
        matches = (re.match(r"([a-z]+) \d", part.title) for part in self.parts)
        return next((title[1] for title in matches if title), "part")


@dataclass(frozen=True, slots=True)
class DescribedTurn:
    """One turn: the scenes before and after it, and its description.

    The scene `after` the last card still has the trick on the table.
    """

    step: Step
    before: Scene
    after: Scene
    kind: Kind
    verb: str
    words: Markup
    remark: str

    @property
    def action(self) -> str:
        """The action as the bot wrote it, empty where `words` is clear enough."""
        return "" if self.verb else self.step.turn.action


def described_turns(game: Game, record: Record, names: Sequence[str]) -> Iterator[DescribedTurn]:
    """Replay a record turn by turn; raises `tables.referee.BadRecord` if it is inconsistent.

    `names` are those of the seats, for the game's own remarks.
    """
    scene: Scene | None = None
    for step in replay(game, record):
        before = scene or game.presentation.scene(step.before)
        after = scene = game.presentation.scene(step.after)
        turn = step.turn
        verb, text = "", Markup("")
        if turn.seat != CHANCE:
            held = _hand(before, turn.seat)
            left = held - _hand(after, turn.seat)
            choice = step.before.legal_actions(turn.seat)
            verb, text = describe_action(game, choice, turn.action, held, left)
            if isinstance(step.after, Terminal) and verb == "plays":
                after = _with_last_trick(before, after, turn.seat, left)
        remark = game.presentation.remark(step.before, step.after, names)
        yield DescribedTurn(step, before, after, _kind(step), verb, text, remark)


def replay_of(game: Game, record: Record, names: Sequence[str]) -> Replay:
    """Draw a record; raises `tables.referee.BadRecord` if it is inconsistent."""
    turns = [*described_turns(game, record, names)]
    parts = tuple(
        Part(title, tuple(map(frame, group)))
        for title, group in groupby(turns, key=lambda turn: turn.after.title)
    )
    deck = frozenset(card for turn in turns for card in _cards_of(turn.after))
    return Replay(parts, deck, game.presentation.framed, *style(turn.after for turn in turns))


def style(scenes: Iterable[Scene]) -> tuple[bool, bool]:
    """Whether seats are around a table, and whether they play cards to it."""
    scenes = [*scenes]
    tricks = any(place.played for scene in scenes for place in scene.places)
    held = any(place.in_hand for scene in scenes for place in scene.places)
    return tricks or held or any(scene.piles for scene in scenes), tricks


def _cards_of(scene: Scene) -> Iterator[Card]:
    for place in scene.places:
        yield from (shown.card for shown in (*place.cards, *place.played))
    for pile in scene.piles:
        yield from (shown.card for shown in pile.cards)


def frame(shown: DescribedTurn) -> Frame:
    turn, before, after = shown.step.turn, shown.before, shown.after
    same = before.title == after.title
    return Frame(
        number=shown.step.number,
        kind=shown.kind,
        seat=turn.seat,
        verb=shown.verb,
        words=shown.words,
        action=shown.action,
        remark=shown.remark,
        question=turn.question,
        answer=quoted(turn.answer or ""),
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
        fault=turn.fault,
        facts=facts(after.facts, before.facts if same else ()),
        heaps=tuple(heaps(before if same else None, after)),
        spots=tuple(spots(before if same else None, after, turn.seat)),
    )


def _with_last_trick(before: Scene, end: Scene, seat: Seat, last: Set[Card]) -> Scene:
    """Keep the trick that ended the game on the table: the end itself has no cards."""
    lying = {place.seat: place.played for place in before.places}
    lying[seat] = tuple(map(Shown, last))
    places = (replace(place, played=lying.get(place.seat, ())) for place in end.places)
    return replace(end, places=tuple(places))


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


PAGE = 100
"""The most frames on a page, unless a single part has more."""


def pages(parts: Sequence[Part]) -> tuple[tuple[Part, ...], ...]:
    """Cut a long replay into pages of whole parts."""
    cut: list[list[Part]] = []
    room = 0
    for part in parts:
        if len(part.frames) > room or not cut:
            cut.append([])
            room = PAGE
        cut[-1].append(part)
        room -= len(part.frames)
    return tuple(map(tuple, cut))


def page_of(cut: Sequence[Sequence[Part]], turn: int) -> int:
    """The page that shows a turn, counted from 0; the last one where no page does."""
    ends = [page[-1].frames[-1].number for page in cut if page]
    return next((at for at, end in enumerate(ends) if turn <= end), max(0, len(ends) - 1))


HELD = "cards in hand"
"""The value of each seat in a game that counts nothing until its end."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A replay as a small table: a value for every seat at the end of each part.

    `label` is the fact that the game's last scene names first ("chips"), or `HELD` where seats
    have no such fact while they play; a row is a part with a (value, status) pair a seat.
    """

    label: str
    rows: tuple[tuple[Part, tuple[tuple[str, str], ...]], ...]


def glance(parts: Sequence[Part]) -> Glance | None:
    """Summarise a replay; None if it has too few parts or no common value."""
    if len(parts) < 3:
        return None
    *played, end = parts
    closing = [part.frames[-1] for part in played]
    label = next((spot.facts[0].label for spot in _seated(end.frames[-1]) if spot.facts), "")
    if not all(any(spot.value(label) for spot in _seated(frame)) for frame in closing):
        label = HELD
    if end.frames[0].kind is not Kind.END:
        closing[-1] = end.frames[-1]  # the last card of the last part ended the game as well
    rows = tuple(
        (part, tuple((_had(spot, label), spot.status) for spot in _seated(frame)))
        for part, frame in zip(played, closing, strict=True)
    )
    if not any(value for _, row in rows for value, _ in row):
        return None
    return Glance(label, rows)


def _had(spot: Spot, label: str) -> str:
    if label != HELD:
        return spot.value(label)
    return "" if spot.held is None else str(spot.held)


def _seated(frame: Frame) -> list[Spot]:
    return [spot for spot in frame.spots if spot.seat != CHANCE]
