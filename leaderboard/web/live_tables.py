"""The tables at which people play: their games as far as they were played, for the pages."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Lock

from markupsafe import Markup

from card_arena.exhibitions.entries import Table
from card_arena.exhibitions.settings import PlaySettings
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.leaderboard.web import card_svg
from card_arena.leaderboard.web.replays import Option, Replay, options
from card_arena.tables.cards import Card
from card_arena.tables.game import CHANCE, Phase, Seat, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.record import Turn
from card_arena.tables.referee import Step
from card_arena.tables.registry import GAMES
from card_arena.tables.scene import Place

EVERY = 0.2
"""Seconds between two looks for what has happened at the tables that are watched."""

MOST = 256
"""The most tables that are kept in memory."""

SPECTATOR: Seat = -1
"""The view of somebody without a seat: all hands are hidden until the game is over."""


class LiveTable:
    """A table and its game so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        game = GAMES[table.game]
        rules = game.options(**table.options)
        seats = len(table.seats)
        self.replay = Replay(game, table.titles, game.sides(rules, seats))
        self.phase: Phase | Terminal = game.resume(rules, seats)
        first = self.phase
        legal = None if isinstance(first, Terminal) else first.legal_actions(CHANCE)
        self.pack: Sequence[Card] = legal.pack if isinstance(legal, Order) else ()

    @property
    def number(self) -> int:
        """How many turns have been played."""
        return len(self.replay.turns)

    def extend(self, turns: Sequence[Turn]) -> None:
        """Play the turns that follow."""
        for turn in turns:
            assert not isinstance(self.phase, Terminal), "no turn follows the end of a game"
            before = self.phase
            after, notices = before.apply(before.read(turn.action))
            self.replay.add(Step(self.number, turn, before, after, tuple(notices)))
            self.phase = after


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """The turn of a person: its number, and what may be done.

    `cards` are the cards that can be tapped, of `held` ones, to play one or to pick several.
    `numbers` are options with a number, together where they have the same range; `words` are all
    other options.
    """

    number: int
    cards: frozenset[Card]
    words: tuple[Option, ...]
    numbers: tuple[tuple[Option, ...], ...]
    picks: bool
    held: int


class LiveTables:
    """The tables of a site; all that are watched are looked up together."""

    def __init__(self, store: ExhibitionStore, settings: PlaySettings) -> None:
        self.store = store
        self.settings = settings
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._looked = 0.0
        self._lock = Lock()

    def at(self, key: str, *, now: bool = False) -> LiveTable:
        """A table as it was a moment ago, or as it is `now`. Raises `UnknownTable`."""
        with self._lock:
            if key not in self._tables:
                self._tables[key] = LiveTable(self.store.table(key))
                now = True
            self._tables.move_to_end(key)
            if time.monotonic() > self._looked + EVERY:
                self._look(self._tables)
                self._looked = time.monotonic()
            elif now:
                self._look([key])
            while len(self._tables) > MOST:
                self._tables.popitem(last=False)
            return self._tables[key]

    def _look(self, keys: Iterable[str]) -> None:
        """Read what has happened at these tables, if their game is not over."""
        waiting = [key for key in keys if self._tables[key].table.state == "waiting"]
        for table in self.store.tables_with(waiting):  # people may have come
            self._tables[table.key] = LiveTable(table)
        live_tables = [self._tables[key] for key in keys]
        after = {live.table.key: live.number for live in live_tables if not live.table.is_over}
        for key, changes in self.store.changes(after).items():
            live = self._tables[key]
            live.extend(changes.turns)
            away = frozenset(seat.number for seat in live.table.seats if seat.away_since)
            if changes.state != live.table.state or changes.away != away:
                live.table = self.store.table(key)


def state_of(live: LiveTable) -> Hashable:
    """A value that differs where people at a table have something else to read."""
    seats = tuple((seat.kind, seat.name, seat.away_since is None) for seat in live.table.seats)
    return live.table.state, live.table.reason, seats


def own_turn(live: LiveTable, seat: Seat) -> OwnTurn | None:
    """What a person may do now; None while another seat is to act."""
    phase = live.phase
    if live.table.state != "playing" or isinstance(phase, Terminal) or phase.to_act != seat:
        return None
    _, place = _own_place(live, seat, live.number - 1)
    offered = [*options(live.replay.game, phase)]
    pick = next((option.pick for option in offered if option.pick), None)
    names = {str(option.card) for option in offered if option.card} | {
        *(pick.cards if pick else ())
    }
    hand = place.cards if place.in_hand else ()
    cards = frozenset(shown.card for shown in hand if shown.card in names)
    words = tuple(
        option for option in offered if option.card not in cards and option.number is None
    )
    numbers = groupby(
        (option for option in offered if option.number),
        key=lambda option: option.number and (option.number.low, option.number.high),
    )
    together = tuple(tuple(group) for _, group in numbers)
    return OwnTurn(live.number, cards, words, together, pick is not None, len(hand))


def own_hand(live: LiveTable, seat: Seat, number: int, turn: OwnTurn | None) -> Markup:
    """Draw the hand of a seat after a turn, with the controls of its own turn if it is to act.

    Empty in a game without hands.
    """
    at, place = _own_place(live, seat, number)
    if not place.in_hand:
        return Markup("")
    kind = "wait" if turn is None or not turn.cards else "pick" if turn.picks else "play"
    playable = turn.cards if turn else frozenset()
    return card_svg.own_hand(place.cards, live.replay.slots[number][at], playable, kind)


def _own_place(live: LiveTable, seat: Seat, number: int) -> tuple[int, Place]:
    """The place of a seat after a turn, as the seat sees it, and its index in the scene."""
    places = live.replay.turns[number].after.seen_by(seat).places
    return next((at, place) for at, place in enumerate(places) if place.seat == seat)
