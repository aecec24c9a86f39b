"""Playing the tables of the exhibitions database: a person is a player like any bot.

Every turn is stored as it happens. A game that was interrupted is played again from its stored
turns, so that a kill at any moment loses nothing but an answer that a bot was computing.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Any, TypeVar

from card_arena.exhibitions.cards import TableDealer
from card_arena.exhibitions.entries import Inbox, SeatedBot, Table
from card_arena.exhibitions.settings import PlaySettings
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.results.errors import Unusable
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import Reply
from card_arena.sandbox.seat import BotPlayer
from card_arena.sandbox.session.idle_bots import IdleBots
from card_arena.tables.choices import only_answer
from card_arena.tables.encoding import asked_words
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.record import Turn
from card_arena.tables.referee import BadRecord, Player, Step, judged, play
from card_arena.tables.registry import GAMES
from card_arena.tournament.play.match import RETRIES, seated
from card_arena.tournament.play.steps import Outages
from card_arena.tournament.requirements import demand
from card_arena.tournament.settings import Settings, settings_of
from card_arena.tournament.submissions import read_bot

Result = TypeVar("Result")

POLL = 0.1
"""The seconds between two looks for answers of people."""

LOOK = 0.5
"""The seconds between two looks for tables that are to be played."""

TIDY = 60.0
"""The seconds between two looks for tables that are to be erased."""

ALONE = 12
"""Where nobody is at the table, a person who is away has this part of the time for an answer."""


class TableLeft(Exception):
    """The game ends here: people left the table, another program plays it, or the host closes."""


class TableGame:
    """One game at one table.

    `archives` gives the files of a bot; `person` makes the player for a person's seat. `say` gets a
    sentence where the database can't be used. `watch` is called with every step.
    """

    def __init__(
        self,
        store: ExhibitionStore,
        table: Table,
        archives: Callable[[SeatedBot], bytes],
        person: Callable[[TableGame, Seat], Player],
        say: Callable[[str], None],
        watch: Callable[[Step], None] = lambda _: None,
    ) -> None:
        self.store = store
        self.table = table
        self.game = GAMES[table.game]
        self.number = 0
        """The number of the next turn."""
        self._archives = archives
        self._person = person
        self._outages = Outages(say)
        self._watch = watch
        self._dealer = TableDealer(table)
        self._stored: tuple[Turn, ...] = ()
        self._notices: list[str] = []
        self._spare: dict[tuple[SeatedBot, Seat], BotPlayer] = {}
        self._prefix: dict[SeatedBot, bool] = {}
        self._ends = ExitStack()

    def patiently(self, use: Callable[[], Result]) -> Result:
        """Use the database, and wait for as long as it can't be used."""
        while True:
            try:
                result = use()
            except Unusable as error:
                self._outages.wait(error)
            else:
                self._outages.over()
                return result

    def play(self) -> Terminal:
        """Play the game to its end, from its stored turns on, and store the end.

        Raises `TableLeft`, `BadRecord` if the stored turns don't fit the rules, and the errors of
        sandboxes and builds, after which it can be played again.
        """
        table = self.table = self.patiently(lambda: self.store.table(self.table.key))
        game = self.game
        if table.version != game.version:
            raise BadRecord(
                f"the game began by version {table.version} of the rules of {game.name}, these are"
                f" version {game.version}"
            )
        self._stored = self.patiently(lambda: self.store.turns(table.key))
        settings = table_settings(table)
        demand([settings])
        options = settings.options
        first = game.resume(options, len(table.seats))
        assert not isinstance(first, Terminal), "a game begins with a phase"
        self.phase: Phase = first
        bots = [seat for seat in table.seats if seat.is_bot]
        self._settings = settings
        self._idle = IdleBots(patience=0)  # people take long
        with self._ends:
            guests = self._ends.enter_context(
                seated(
                    tuple(range(len(bots))),
                    [self._archives(seat.bot) for seat in bots],
                    settings,
                    self._idle,
                )
            )
            for guest in guests:
                guest.begin_game()
            at_seat = {seat.number: guest for seat, guest in zip(bots, guests, strict=True)}
            prefixed = [seat for seat, guest in at_seat.items() if guest.prefix]
            self.patiently(lambda: self.store.begin(table.id, prefixed))
            players = [
                _Seat(self, at_seat.get(number) or self._person(self, number), number)
                for number in range(len(table.seats))
            ]
            record = play(
                game,
                options,
                players,
                self._dealer,
                prefixed=prefixed,
                strikes=settings.strikes.strikes(),
                watch=self._step,
            )
        self.patiently(lambda: self.store.finish(table.id, record.over.scores))
        return record.over

    def stored(self) -> Turn | None:
        """The stored turn that is played again now, or None."""
        return self._stored[self.number] if self.number < len(self._stored) else None

    def hear(self, line: str) -> None:
        """Note something that the whole table saw."""
        self._notices.append(line)
        for guest in self._spare.values():
            guest.tell(line)

    def answer_of(self, bot: SeatedBot, seat: Seat) -> str | None:
        """What a bot answers for a seat in this position, None if it gives no legal answer.

        It is started if it doesn't run yet; each seat has one of its own.
        """
        guest = self._spare.get((bot, seat))
        if guest is None:
            (guest,) = self._ends.enter_context(
                seated((0,), [self._archives(bot)], self._settings, self._idle)
            )
            guest.begin_game()
            for line in self._notices:
                guest.tell(line)
            self._spare[bot, seat] = guest
            self._prefix[bot] = guest.prefix
        phase = self.phase
        prefixed = [seat] if self._prefix[bot] else ()
        reply = guest.ask(asked_words(self.game, phase, seat, prefixed))
        if reply.fault is not None or reply.line is None:
            return None
        return None if judged(phase, phase.legal_actions(seat), reply.line)[1] else reply.line

    def _step(self, step: Step) -> None:
        """Store a step, or compare it with the stored one."""
        stored, turn = self.stored(), step.turn
        if stored is None:
            deals = isinstance(step.before.legal_actions(turn.seat), Order)
            pack = self._dealer.pack - 1 if deals else None
            if not self.patiently(
                lambda: self.store.add_turn(self.table.id, self.number, turn, pack)
            ):
                raise TableLeft
        elif (stored.seat, stored.action) != (turn.seat, turn.action):
            raise BadRecord(f"turn {self.number} of the table does not follow from its cards")
        self._watch(step)
        self.number += 1
        if not isinstance(step.after, Terminal):
            self.phase = step.after


class _Seat:
    """A player who gives the stored answers first; in seat 0, spare bots hear what it is told."""

    def __init__(self, game: TableGame, player: Player, number: Seat) -> None:
        self._game = game
        self._player = player
        self._number = number

    def ask(self, words: Sequence[str], /) -> Any:
        turn = self._game.stored()
        if turn is None:
            return self._player.ask(words)
        reply = Reply(turn.answer, wall=turn.wall, cpu=turn.cpu, peak=turn.peak)
        if fault := turn.fault:
            return reply._replace(fault=fault.kind, code=fault.code, facts=fault.facts)
        return reply

    def tell(self, line: str, /) -> None:
        self._player.tell(line)
        if self._number == 0:
            self._game.hear(line)


def table_settings(table: Table) -> Settings[Any]:
    """The settings of a table's bots; raises pydantic's `ValidationError`."""
    return settings_of(
        {
            "name": "table",
            "game": table.game,
            "options": dict(table.options),
            "seats": len(table.seats),
            **table.conditions,
        }
    )


def archives(store: Store) -> Callable[[SeatedBot], bytes]:
    """The function that gives the files of a bot: those of a version, or of a folder or archive.

    It raises `Rejected` and the errors of the store.
    """

    @lru_cache(maxsize=64)
    def archive(bot: SeatedBot) -> bytes:
        if bot.version_id is None:
            return read_bot(Path(bot.path)).archive()
        return store.archive(bot.version_id)

    return archive


class Person:
    """A person who answers through the database; a bot replaces them while they are away.

    A move without a choice is played at once.
    """

    def __init__(self, game: TableGame, seat: Seat, desk: AnswerDesk, away: float) -> None:
        self._game = game
        self._seat = seat
        self._desk = desk
        self._away = away
        self._bot = game.table.seats[seat].bot

    def ask(self, words: Sequence[str], /) -> Reply:
        """Wait for the person's answer, or give that of the bot."""
        del words
        began = time.monotonic()
        phase = self._game.phase
        line = only_answer(phase.legal_actions(self._seat), phase.write)
        if line is None:
            line = self._wait()
        if line is None:
            own = self._game.answer_of(self._bot, self._seat) or phase.write(
                phase.legal_actions(self._seat).sample(random.Random())
            )
            number, table = self._game.number, self._game.table
            # an answer that came meanwhile was accepted, so it counts
            first = self._game.patiently(lambda: self._game.store.settle(table.id, number, own))
            line = own if first is None else first
        return Reply(line, wall=round((time.monotonic() - began) * 1e6))

    def tell(self, line: str, /) -> None:
        """A person sees the table."""

    def _wait(self) -> str | None:
        """Wait for an answer, and give hints meanwhile; None if a bot is to answer."""
        game, seat = self._game, self._seat
        turn = (game.table.id, game.number, seat)
        inbox, away, end = None, True, math.inf
        while new := self._desk.inbox(turn, inbox, end - time.monotonic()):
            if new.over:
                raise TableLeft
            if new.line is not None or not new.here:
                return new.line
            if new.hint:
                self._give_hint()
            if inbox is None or (away and not new.away):
                end = time.monotonic() + self._patience(away=new.away)
            inbox, away = new, new.away
        if not away:
            game.patiently(lambda: game.store.set_away(game.table.id, seat))
        return None

    def _give_hint(self) -> None:
        """Store the champion's answer; an empty one if it has none."""
        game, seat = self._game, self._seat
        table, number = game.table, game.number
        assert table.hints is not None, "no hint is asked for without a bot that gives it"
        hint = game.answer_of(table.hints, seat) or ""
        game.patiently(lambda: game.store.answer_hint(table.id, number, seat, hint))

    def _patience(self, *, away: bool) -> float:
        """The seconds for an answer: none for a person who is away while others wait."""
        if not away:
            return self._away
        store, table = self._game.store, self._game.table
        others = self._game.patiently(lambda: store.has_people(table.id))
        return 0.0 if others else self._away / ALONE


class AnswerDesk:
    """Looks for the answers of all people who are asked, by one thread."""

    def __init__(self, store: ExhibitionStore) -> None:
        self._store = store
        self._inboxes: dict[tuple[int, int, Seat], Inbox | None] = {}
        self._looked = Condition()
        self._over = Event()
        Thread(target=self._run, name="answers", daemon=True).start()

    def inbox(
        self, turn: tuple[int, int, Seat], before: Inbox | None, seconds: float
    ) -> Inbox | None:
        """The inbox of a (table, turn, seat) as soon as it differs from the one before.

        None if it is still the same after so many seconds. Raises `TableLeft` after `close`.
        """

        def has_changed() -> bool:
            return self._over.is_set() or self._inboxes[turn] not in (None, before)

        with self._looked:
            self._inboxes[turn] = None
            timeout = None if math.isinf(seconds) else max(0.0, seconds)
            try:
                changed = self._looked.wait_for(has_changed, timeout)
                if self._over.is_set():
                    raise TableLeft
                return self._inboxes[turn] if changed else None
            finally:
                del self._inboxes[turn]

    def close(self) -> None:
        """Look no more; who waits for an answer leaves the table."""
        with self._looked:
            self._over.set()
            self._looked.notify_all()

    def _run(self) -> None:
        while not self._over.wait(POLL):
            with self._looked:
                turns = [*self._inboxes]
            try:
                inboxes = self._store.inboxes(turns) if turns else {}
            except Unusable:  # answers can't be given now either
                continue
            with self._looked:
                for turn in self._inboxes.keys() & turns:
                    self._inboxes[turn] = inboxes.get(turn[0])
                self._looked.notify_all()


class Host:
    """Plays the tables of a database, each in a thread of its own."""

    def __init__(
        self,
        store: ExhibitionStore,
        results: Store,
        limits: PlaySettings,
        say: Callable[[str], None],
    ) -> None:
        self._store = store
        self._limits = limits
        self._say = say
        self._archives = archives(results)
        self._desk = AnswerDesk(store)
        self._threads: dict[int, Thread] = {}
        self._over = Event()

    def run(self) -> None:
        """Play until `close` is called; games are left as they are then, to be played on later."""
        tidied = float("-inf")
        outages = Outages(self._say)
        while not self._over.wait(LOOK):
            try:
                self._begin_due()
                if time.monotonic() - tidied > TIDY:
                    if self._store.tidy(timedelta(days=self._limits.keep)):
                        self._store.database.shrink()
                    tidied = time.monotonic()
            except Unusable as error:
                outages.wait(error)
            else:
                outages.over()
        self._desk.close()
        for thread in self._threads.values():
            thread.join()

    def close(self) -> None:
        """End `run`."""
        self._over.set()

    def _begin_due(self) -> None:
        """Start a thread for every table that is due and has none."""
        self._threads = {id: thread for id, thread in self._threads.items() if thread.is_alive()}
        for table in self._store.due(self._limits.tables, self._threads):
            if len(self._threads) >= self._limits.tables:
                break
            thread = Thread(target=self._play, args=(table,), name=table.key, daemon=True)
            self._threads[table.id] = thread
            thread.start()

    def _play(self, table: Table) -> None:
        """Play a table, again after a failure of the arena; stop it if it can't be played."""

        def person(game: TableGame, seat: Seat) -> Person:
            return Person(game, seat, self._desk, self._limits.away)

        def go_on(_: Step) -> None:
            if self._over.is_set():
                raise TableLeft

        reason = ""
        for _ in range(1 + RETRIES):
            game = TableGame(self._store, table, self._archives, person, self._say, go_on)
            try:
                game.play()
            except TableLeft:
                return
            except Exception as error:  # whatever failed, no person and no bot pays for it
                reason = str(error) or type(error).__name__
                self._say(f"table {table.key} can't be played: {reason}")
                if isinstance(error, BadRecord):
                    break
            else:
                return
        game.patiently(lambda: self._store.stop(table.id, f"the arena failed: {reason}"))
