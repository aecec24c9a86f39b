"""What a whole tournament costs, on one core and on two."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tests.bench.timing import TOP, Row
from card_arena.tournament.play.lineup import Tried, line_up
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.play.season import play_season
from card_arena.tournament.play.steps import finish
from card_arena.tournament.settings import Settings, read_settings, settings_of
from card_arena.tournament.submissions import take

SEED = bytes(32)


class Nobody:
    """An audience that does not listen."""

    def say(self, sentence: str) -> None:
        """Nothing is said in a benchmark."""

    def tried(self, trial: Tried) -> None:
        """See a bot that can't play here: the tournament is then not the demo's."""
        if not trial.verdict.ok:
            print(f"{trial.version.label} sits out: {trial.verdict.reason}", file=sys.stderr)

    def nothing_due(self, settings: object) -> None:
        """Nobody waits."""

    def begins(self, season: object, *, again: bool) -> None:
        """Nobody watches."""

    def advances(self, tally: object) -> None:
        """Nobody watches."""

    def ends(self, season: object) -> None:
        """Nobody watches."""

    def stops(self, tournament: str) -> None:
        """Nobody watches."""


def tournament_rows(legs: int, seasons: int) -> Iterator[Row]:
    """The demo tournament in short, on one core and on two, in turn; then games of rule players."""
    shorter = {"format": {"contest": {"legs": legs}}}
    rates: dict[int, list[float]] = {1: [], 2: []}
    with stocked(sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml"))) as store:
        for _ in range(seasons):
            for workers, measured in rates.items():
                settings = settings_of({**demo().plain(), **shorter, "workers": workers})
                season, minutes = played(store, settings)
                measured.append(len(store.results(season.id)) / minutes)
    one, two = (statistics.median(rates[workers]) for workers in (1, 2))
    yield "demo tournament, one worker", f"{one:.0f} matches/min", "", ""
    yield (
        "demo tournament, two workers",
        f"{two:.0f} matches/min",
        f"{two / one:.2f}",
        "at least 1.80",
    )
    for player in ("wrp", "srp"):
        yield _spades_row(player, boards=10 * legs)


def demo() -> Settings[Any]:
    """The demo tournament."""
    file = TOP / "tournaments" / "demo-blackjack.yaml"
    return read_settings(file.read_bytes(), file.name)


def _spades_row(player: str, boards: int) -> Row:
    """Games to 200 points between two rule players in Python, each board from both sides."""
    names = [f"{bidder}-{player}" for bidder in ("bis", "ms")]
    settings = settings_of(
        {
            "name": "spades",
            "game": "spades",
            "options": "paper",
            "workers": 2,
            "format": {"contest": {"rounds": 4}},
            "boards": boards // 4,
            "entrants": [f"spades-{name}" for name in names],
        }
    )
    with stocked([TOP / "bots" / "spades" / name / "bot.yaml" for name in names]) as store:
        season, minutes = played(store, settings)
        rounds = sum(
            max(record.over.hands)
            for result in store.results(season.id)
            for _, record in store.games(result.key)
        )
    what = f"spades, {' against '.join(names)}, in Python, two workers"
    return what, f"{rounds / minutes:,.0f} rounds/min", "", "at least 3,000"


@contextmanager
def stocked(manifests: Iterable[Path]) -> Iterator[Store]:
    """A store with these bots in it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store(f"sqlite:///{folder}/a.db")) as store,
    ):
        for manifest in manifests:
            take(store, manifest.parent, "house")
        yield store


def played(store: Store, settings: Settings[Any]) -> tuple[Season, float]:
    """Play a season; it, and how many minutes it took without the beginning."""
    with WorkerPool(settings.workers) as pool:
        entrants = finish(line_up(store, settings, pool, Nobody().tried))
        season = begin(store, settings, entrants, datetime.now(UTC), SEED)
        begun = time.perf_counter()
        finish(play_season(store, season, pool.queue(settings.name), Nobody()))
        return season, (time.perf_counter() - begun) / 60
