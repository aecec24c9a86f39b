"""How much a match takes on disk, game by game, and what a million of them take.

House bots play some matches of each game in this process, each answer timed; they are stored as all
matches are. Then the database is measured, before and after its questions' words are pruned.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from card_arena.common.faults import Facts
from card_arena.results.entries import Entrant, Season
from card_arena.results.store import Store
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.registry import GAMES
from card_arena.tests.bench.unsandboxed import played
from card_arena.tests.in_process import Answer, draws_below, house_bot
from card_arena.tests.results.made import save_match
from card_arena.tournament.play.schedules import begin, schedule_of
from card_arena.tournament.settings import settings_of
from card_arena.tournament.submissions import described

HEADINGS = (
    "game",
    "bots",
    "games",
    "decisions",
    "a match",
    "of that its records",
    "a million matches",
    "a match without words",
    "a million without words",
)
BOTS = {
    "blackjack": ("below 14", "below 15", "below 16", "below 17"),
    "spades": ("bis-wrp", "ms-wrp"),
    "blot": ("v1", "v2"),
    "tarot": ("points", "random"),
    "durak": ("value", "lowest"),
}
"""The house bots that play each game; those of blackjack draw below a number."""

MATCHES = 150
"""How many matches of each game are measured."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reply in time, with the microseconds that it took."""

    line: str
    wall: int
    cpu: int
    fault: None = None
    code: str = ""
    facts: Facts = field(default_factory=dict)
    stderr: str = ""
    peak: int = 0


@dataclass(frozen=True, slots=True)
class Seated:
    """A bot that is asked without a sandbox."""

    answer: Answer

    def ask(self, words: Sequence[str]) -> Said:
        """Have it answer, and see how long that takes."""
        begun, used = time.perf_counter_ns(), time.process_time_ns()
        line = self.answer([*words])
        wall, cpu = time.perf_counter_ns() - begun, time.process_time_ns() - used
        return Said(line, wall // 1000, cpu // 1000)

    def tell(self, line: str) -> None:
        """It goes by the question alone."""


def size_rows() -> Iterator[Sequence[str]]:
    """Every game in turn."""
    for game in GAMES:
        with tempfile.TemporaryDirectory(prefix="arena-sizes-") as folder:
            path = Path(folder) / "arena.db"
            with closing(Store(f"sqlite:///{path}")) as store:
                yield _row(store, path, game)


def stock(store: Store, game: str, matches: int) -> Season:
    """Begin a season of a game's bots, and play and store this many matches of it."""
    bots = [_bot(game, name) for name in BOTS[game]]
    settings = settings_of(
        {
            "name": "sizes",
            "game": game,
            "same_author": "together",
            "format": {"contest": {"legs": matches, "rounds": 1}},
        }
    )
    seats = max(len(bots), min(4, GAMES[game].seats[0]))
    versions = [_submitted(store, game, number) for number in range(seats)]
    season = begin(store, settings, [Entrant(each) for each in versions], datetime.now(UTC))
    answers = dict(zip(versions, bots * seats, strict=False))
    for pairing in schedule_of(store, season).ready[:matches]:
        players = [Seated(answers[version]) for version in pairing.versions]
        store.note_attempts(season.id, [pairing.key])
        save_match(store, season.id, played(pairing, settings, season.key, players))
    return season


def _row(store: Store, path: Path, game: str) -> Sequence[str]:
    empty = _settled(store, path)
    results = store.results(stock(store, game, MATCHES).id)
    matches = len(results)
    now = datetime.now(UTC)
    records = store.prunable_words(now)
    whole = (_settled(store, path) - empty) / matches
    store.prune_words(now)
    less = (_settled(store, path) - empty) / matches
    return (
        game,
        ", ".join(BOTS[game]),
        f"{records.pieces / matches:.0f}",
        f"{sum(sum(each.decisions) for each in results) / matches:,.0f}",
        f"{whole / 1024:.1f} KiB",
        f"{records.size / matches / 1024:.1f} KiB",
        f"{whole * 1e6 / 1024**3:.1f} GiB",
        f"{less / 1024:.1f} KiB",
        f"{less * 1e6 / 1024**3:.1f} GiB",
    )


def _bot(game: str, name: str) -> Answer:
    said, _, limit = name.partition(" ")
    return draws_below(int(limit)) if said == "below" else house_bot(game, name)


def _submitted(store: Store, game: str, number: int) -> int:
    """Submit a bot that is not started: it only has to be in the line-up."""
    with tempfile.TemporaryDirectory() as folder:
        about = f"name: bot{number}\ngames: [{game}]\nprotocol: stdin\nlanguage: python\n"
        Path(folder, "bot.yaml").write_text(about)
        Path(folder, "bot.py").write_text(f"print({number})\n")
        bundle = read_bundle(Path(folder))
    return store.submit(described(bundle), "house")[0].id


def _settled(store: Store, path: Path) -> int:
    """The size of the file with nothing in it but what is stored."""
    store.database.shrink()
    return path.stat().st_size
