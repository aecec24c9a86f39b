"""What a whole contest costs, on one core and on two."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

from leaderboard.store import Store
from tests.bench.timing import TOP, Row
from tournament.crews import Crew
from tournament.lineup import Tried, line_up
from tournament.season import play_season
from tournament.settings import read_settings
from tournament.submission import take

SEED = bytes(32)


class Nobody:
    """An audience that does not listen."""

    def say(self, sentence: str) -> None:
        """Nothing is said in a benchmark."""

    def tried(self, trial: Tried) -> None:
        """See a bot that can't play here: the contest is then not the demo's."""
        if not trial.verdict.ok:
            print(f"{trial.version.label} sits out: {trial.verdict.reason}", file=sys.stderr)

    def nothing_due(self, settings: object) -> None:
        """Nobody waits."""

    def begins(self, season: object, *, again: bool) -> None:
        """Nobody watches."""

    def goes_on(self, tally: object) -> None:
        """Nobody watches."""

    def ends(self, season: object) -> None:
        """Nobody watches."""


def contest_rows(tourneys: int, seasons: int) -> Iterator[Row]:
    """The demo contest in short, on one core and on two, in turn."""
    demo = read_settings(
        (TOP / "tournaments" / "demo-blackjack.yaml").read_bytes(), "demo-blackjack.yaml"
    )
    rates: dict[int, list[float]] = {1: [], 2: []}
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store(f"sqlite:///{folder}/a.db")) as store,
    ):
        for manifest in sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml")):
            take(store, manifest.parent, "house")
        for _ in range(seasons):
            for workers, measured in rates.items():
                settings = demo.model_copy(update={"tourneys": tourneys, "workers": workers})
                with Crew(workers) as crew:
                    entrants = line_up(store, settings, crew, Nobody().tried)
                    season = store.begin_season(
                        "demo-blackjack",
                        settings.freeze(),
                        "mean chips",
                        SEED,
                        entrants,
                        datetime.now(UTC),
                    )
                    begun = time.perf_counter()
                    play_season(store, season, crew, Nobody())
                    minutes = (time.perf_counter() - begun) / 60
                measured.append(len(store.results(season.id)) / minutes)
    one, two = (statistics.median(rates[workers]) for workers in (1, 2))
    yield "demo contest, one worker", f"{one:.0f} matches/min", "", ""
    yield "demo contest, two workers", f"{two:.0f} matches/min", f"{two / one:.2f}", "at least 1.80"
