"""Stores of many matches: seasons of a thousand bots, begun and kept as the arena does it.

Everything goes through the accounts that a real season goes through: bots are submitted, a season
begins with its manifest, its schedule says what is played, and each match is stored as it ends.
Only the sandboxes are missing: the games are played in this process, by players whose answers
follow from the question. So `arena verify` has nothing to say against such a store.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from typing import Any

from card_arena.leaderboard.standings import standings
from card_arena.ratings.match_results import Played
from card_arena.results.entries import Entrant, Season
from card_arena.results.records import Finished, finished
from card_arena.results.store import Store
from card_arena.sandbox.bundles import archives
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.sandbox.sandbox import Reply
from card_arena.tests.bench.timing import TOP
from card_arena.tests.bench.tournaments import Nobody
from card_arena.tests.bench.unsandboxed import played
from card_arena.tournament.play.match import Ticket
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.play.season import Headway, play_season
from card_arena.tournament.settings import Settings, settings_of
from card_arena.tournament.submissions import described

TOURNAMENT = "weekly"
BOTS, ROUNDS = 1_000, 32


HIT, STAND = (Reply(move, wall=40, cpu=20, peak=2**21) for move in "HS")


class DrawsBelow:
    """The simplest player of blackjack: a question begins with the total of its cards."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def ask(self, words: Sequence[str]) -> Reply:
        """Draw or stand."""
        return HIT if int(words[0]) < self._limit else STAND

    def tell(self, line: str) -> None:
        """Take no notice."""


class Here:
    """A queue whose matches are played in this process, and come back when somebody asks for them.

    `seconds` of processor time went into playing, as opposed to everything that a runner does, and
    `played` counts the matches.
    """

    def __init__(self, at_a_time: int = 30) -> None:
        self.at_a_time = at_a_time
        self.in_hand = 3 * at_a_time
        self.seconds = 0.0
        self.played = 0
        self._away: deque[tuple[Future[Finished], Ticket]] = deque()

    def submit(
        self, _function: Callable[..., Finished], ticket: Ticket, **_: object
    ) -> Future[Finished]:
        """Take a match."""
        future: Future[Finished] = Future()
        self._away.append((future, ticket))
        return future

    def bring(self, matches: int) -> None:
        """Play some matches and give them back, those first that were taken first."""
        begun = time.process_time()
        for _ in range(min(matches, len(self._away))):
            future, ticket = self._away.popleft()
            future.set_result(finished(played_here(ticket)))
            self.played += 1
        self.seconds += time.process_time() - begun


@cache
def _table(name: str, *, duplicate: bool) -> Settings[Any]:
    return settings(name, duplicate=duplicate)


def settings(
    name: str = TOURNAMENT, rounds: int = ROUNDS, legs: int = 1, *, duplicate: bool = False
) -> Settings[Any]:
    """A contest of many rounds, two bots at a table, a hand a game; chips are carried on in a leg
    unless every match is a duplicate.
    """
    return settings_of(
        {
            "name": name,
            "game": "blackjack",
            "options": {"hands": 1},
            "seats": 2,
            "duplicate": duplicate,
            "format": {"contest": {"legs": legs, "rounds": rounds}},
            "same_author": "together",
            "clock": {"question": "5s", "start": "30s"},
        }
    )


def played_here(ticket: Ticket) -> Played:
    """Play a match; a version draws below a limit that follows from its id."""
    frozen = ticket.settings
    table = _table(frozen.name, duplicate=frozen.duplicate)
    players = [DrawsBelow(8 + version % 8) for version in ticket.pairing.versions]
    return played(ticket.pairing, table, ticket.seed, players)


class Counting(Nobody):
    """An audience that keeps the newest headway."""

    def __init__(self) -> None:
        self.played = 0

    def advances(self, headway: Headway) -> None:
        """Note how many matches of the season are stored."""
        self.played = headway.played


def stock(
    store: Store,
    matches: int,
    wanted: Settings[Any] | None = None,
    queue: Here | None = None,
    back: int | None = None,
    bots: int = BOTS,
) -> Iterator[int]:
    """Store matches until there are so many; yields how many there are whenever some were stored.

    It goes on where it was left, even in the middle of a season. As many as `back` come back
    together, or all that are away; those of a `queue` of one match at a time, one by one.
    """
    chosen, queue = wanted or settings(), queue or Here()
    entrants = [Entrant(version) for version in enrolled(store, bots)]
    while True:
        season, before = running(store, chosen, entrants)
        audience = Counting()
        steps = play_season(store, season, queue, audience)  # type: ignore[arg-type]
        with closing(steps):
            for _ in steps:
                there = before + audience.played
                if audience.played:  # nothing is said before the first match is back
                    yield there
                    if there >= matches:
                        return
                queue.bring(back or (queue.in_hand if queue.at_a_time > 1 else 1))


def running(store: Store, chosen: Settings[Any], entrants: Sequence[Entrant]) -> tuple[Season, int]:
    """The season that is being played, a new one if none is, and the matches of those before."""
    seasons = store.seasons(chosen.name)
    begun = [season for season in seasons if not season.finished]
    season = begun[0] if begun else begin(store, chosen, entrants, datetime.now(UTC))
    before = sum(
        standings(store, chosen.name, each.number).season.matches
        for each in seasons
        if each.finished
    )
    return season, before


def enrolled(store: Store, bots: int = BOTS) -> list[int]:
    """The versions of the bots of a store, submitted now if they are not in it."""
    folder = TOP / "bots" / "starters" / "python"
    program = (folder / "bot.py").read_bytes()
    found = []
    for number in range(1, bots + 1):
        name = f"bot{number:04}"
        about = f"name: {name}\ngames: [blackjack]\nprotocol: stdin\nlanguage: python\n"
        packed = archives.pack([("bot.py", program), ("bot.yaml", about.encode())])
        bundle = Bundle.from_archive(packed)
        version, _ = store.submit(described(bundle), f"author{number % 200:03}")
        found.append(version.id)
    return found


def main() -> None:
    """Stock a database: `python -m card_arena.tests.bench.stocking URL MATCHES`."""
    url, matches = sys.argv[1], int(sys.argv[2])
    begun, shown = time.monotonic(), 0.0
    with closing(Store(url)) as store:
        for there in stock(store, matches):
            if time.monotonic() - shown > 60:
                shown = time.monotonic()
                print(f"{there:,} of {matches:,} after {shown - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
