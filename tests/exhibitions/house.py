"""An arena with quick bots of every game, and people who answer through the store."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from card_arena.exhibitions.entries import NewTable, Refused, SeatedBot, Table
from card_arena.exhibitions.settings import PlaySettings
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.results.store import Store
from card_arena.tables.choices import Cards, Choice, Number, Word, choices, only_answer
from card_arena.tables.game import Seat, Terminal
from card_arena.tables.referee import replay
from card_arena.tables.registry import GAMES
from card_arena.tests.tournament import stage
from card_arena.tournament.table_host import Host

PATIENCE = 200.0
SHORT: dict[str, dict[str, Any]] = {
    "spades": {"max_rounds": 2},
    "blot": {"max_deals": 2},
    "tarot": {"deals": 3},
}
"""The options that make a game short."""

CONDITIONS = {
    "clock": {"question": "20s", "start": "60s"},
    "limits": {"cpu": "20s"},
    "require": [],
}
LIMITS = PlaySettings(who="everybody", away=PATIENCE)


@dataclass(frozen=True)
class House:
    """An arena in a folder."""

    url: str
    store: Store
    tables: ExhibitionStore
    bots: Path | None = None
    """The folder of its bots; None where nothing is played."""

    def bot(self, game: str) -> SeatedBot:
        """A bot that answers the first legal action."""
        name = f"{game}-first"
        if self.bots is None:
            return SeatedBot(f"{name} v1", 1)
        listed = game in stage.LISTED
        bot = stage.legal(name, game, "first") if listed else stage.shell(name, 15)
        if not (self.bots / name).exists():
            bot.write(self.bots)
        version = stage.submit(self.store, self.bots / name)
        return SeatedBot(version.label, version.id)

    def new_table(self, game: str, seats: int | None = None, **changes: Any) -> NewTable:
        """A table with bots in all other seats."""
        count = seats or max(2, GAMES[game].seats[0])
        bots = (self.bot(game),) * count
        return NewTable(
            **{
                "game": game,
                "bots": bots,
                "options": SHORT.get(game, {}),
                "conditions": CONDITIONS,
                **changes,
            }
        )

    def settled(self, key: str) -> Table:
        """The table once its game is over."""
        wait_for(lambda: self.tables.table(key).is_over)
        return self.tables.table(key)


@contextmanager
def opened(url: str, folder: Path) -> Iterator[House]:
    """Open an arena."""
    with closing(Store(url)) as store, closing(ExhibitionStore(url)) as tables:
        yield House(url, store, tables, folder / "bots")


@contextmanager
def hosting(house: House, limits: PlaySettings = LIMITS) -> Iterator[list[str]]:
    """Host the tables by a thread of this process; gives what it says."""
    said: list[str] = []
    host = Host(house.tables, house.store, limits, said.append)
    thread = Thread(target=host.run, daemon=True)
    thread.start()
    try:
        yield said
    finally:
        host.close()
        thread.join()


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def asked(house: House, key: str, seat: Seat = 0) -> tuple[int, tuple[Choice, ...]] | None:
    """The turn in which a person is asked, with what may be answered; None if they aren't."""
    position = house.tables.position(key)
    phase = position.phase
    if isinstance(phase, Terminal) or phase.to_act != seat:
        return None
    legal = phase.legal_actions(seat)
    if house.tables.table(key).state != "playing" or only_answer(legal, phase.write):
        return None
    return position.number, choices(legal, phase.write)


def line_of(choice: Choice, rng: random.Random) -> str:
    """One of the lines that a choice allows, at random."""
    match choice:
        case Word(answer):
            return answer
        case Number(_, low, high, _):
            return choice.answer(rng.randint(low, high))
        case Cards(_, count, cards, forced):
            free = [card for card in cards if card not in forced]
            return choice.answer({*forced, *rng.sample(free, count - len(forced))})


def play_person(house: House, key: str, secret: str, seat: Seat = 0) -> int:
    """Answer at random until the game is over; return the number of answers."""
    rng, answers = random.Random(7), 0
    end = time.monotonic() + PATIENCE
    while not house.tables.table(key).is_over:
        assert time.monotonic() < end, "the game did not end"
        if (question := asked(house, key, seat)) is None:
            time.sleep(0.02)
            continue
        turn, listed = question
        with suppress(Refused):  # the position may just have changed
            house.tables.answer(key, secret, turn, line_of(rng.choice(listed), rng))
            answers += 1
    return answers


def check_record(house: House, key: str) -> None:
    """The record is one consistent game with the stored scores."""
    table, record = house.tables.table(key), house.tables.record_of(key)
    steps = [*replay(GAMES[record.game], record)]
    assert len(steps) == len(house.tables.turns(key))
    assert record.over.scores == table.scores
