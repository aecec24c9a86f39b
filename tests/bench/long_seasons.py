"""What commands and fits take when two hundred bots have played a hundred thousand matches.

ARENA_BENCH_MATCHES sets another number. Stores are made as for `scale`, and kept in the folder that
ARENA_BENCH_STORES names. Time is that of the clock, from the start of a process to its end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from card_arena.leaderboard.standings import season_figures, standings
from card_arena.leaderboard.versus import over_all_games, versus
from card_arena.results.entries import Entrant
from card_arena.results.store import Store
from card_arena.tests.bench.stocking import (
    ROUNDS,
    TOURNAMENT,
    Here,
    enrolled,
    running,
    settings,
    stock,
)
from card_arena.tests.bench.timing import TOP
from card_arena.tests.bench.tournaments import Nobody
from card_arena.tournament.play.season import play_season

HEADINGS = ("stored matches", "what", "time", "processor", "memory", "target")
BOTS = 200
MATCHES = 100_000
FITTED = 50_000
"""Matches of the store of short seasons; a fit takes no more of them."""

DUPLICATES = "duplicates"
"""A second tournament of that store, whose figures are margins."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process took: seconds by the clock, those of all processors, and bytes at its peak."""

    wall: float
    cpu: float
    peak: int


def long_rows() -> Iterator[Sequence[str]]:
    """A long season and what is done with it; then fits of short seasons."""
    matches = int(os.environ.get("ARENA_BENCH_MATCHES", MATCHES))
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(os.environ.get("ARENA_BENCH_STORES", folder)).absolute()
        long, short = (f"sqlite:///{kept}/{name}-{matches}.db" for name in ("long", "short"))
        with closing(Store(long)) as store:
            played = whole_season(store, matches)
        with closing(Store(short)) as store:
            for name in (TOURNAMENT, DUPLICATES):
                wanted = settings(name, duplicate=name == DUPLICATES)
                for _ in stock(store, min(matches, FITTED), wanted, bots=BOTS):
                    pass
        yield from _of_commands(long, played, Path(folder))
        yield from _of_fits(long, (TOURNAMENT,), f"{played:,} in one season")
        fitted = f"{min(matches, FITTED):,} in short seasons"
        yield from _of_fits(short, (TOURNAMENT, DUPLICATES), fitted)


def whole_season(store: Store, matches: int) -> int:
    """Play a tournament's first season of about so many matches to its end; return their number."""
    chosen = settings(legs=max(1, round(matches / (BOTS // 2 * ROUNDS))))
    seasons = store.seasons(chosen.name)
    if not seasons or not seasons[0].finished:
        season, _ = running(store, chosen, [Entrant(each) for each in enrolled(store, BOTS)])
        queue = Here()
        with closing(play_season(store, season, queue, Nobody())) as steps:  # type: ignore[arg-type]
            for _ in steps:
                queue.bring(queue.in_hand)
    return store.count_matches(chosen.name)


def _of_commands(url: str, matches: int, folder: Path) -> Iterator[Sequence[str]]:
    """What is typed about the long season."""
    first = f"{matches:,} in one season"
    for words, target in (
        (("verify", TOURNAMENT, "--from-scratch"), "20,000 matches a minute"),
        (("export", f"{TOURNAMENT}/1", "season.zip"), "below 3 s"),
        (("show", "sheets", "--only", "versions"), "below 3 s"),
        (("show", "sheets", TOURNAMENT, "--season", "1", "--only", "standings"), ""),
        (("show", "sheets", TOURNAMENT, "--season", "1", "--only", "matches"), ""),
        (("ledger", "head", TOURNAMENT), "below 3 s"),
    ):
        found = taken([str(TOP / "arena.py"), *words, "--database", url], folder)
        shown = f"{found.wall:.1f} s"
        if words[0] == "verify":
            shown = f"{shown}, {60 * matches / found.wall:,.0f} a minute"
        yield first, f"`arena {' '.join(words)}`", shown, *_costs(found), target
        first = ""


def _of_fits(url: str, tournaments: Sequence[str], first: str) -> Iterator[Sequence[str]]:
    """What pages fit: a season's figures, all seasons of a tournament, and all games."""
    asked = [
        *((f"figures of the newest season, {name}", "figures", name) for name in tournaments),
        *((f"versus, {name}", "versus", name) for name in tournaments),
        ("all games", "over_all_games", ""),
    ]
    for what, function, name in asked:
        call = f"fitted({url!r}, {function!r}, {name!r})"
        found = taken(
            ["-c", f"from card_arena.tests.bench.long_seasons import fitted; {call}"], TOP
        )
        yield first, what, f"{found.wall:.1f} s", *_costs(found), ""
        first = ""


def fitted(url: str, function: str, tournament: str) -> None:
    """Work out what a page shows."""
    with closing(Store(url)) as store:
        match function:
            case "figures":
                season_figures(store, standings(store, tournament))
            case "versus":
                assert versus(store, tournament).rivals
            case _:
                assert over_all_games(store).rivals


_MEASURED = """
import json, resource, subprocess, sys, time
begun = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
wall = time.perf_counter() - begun
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([code, wall, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""Runs a command; a small process does, since a new process has its parent's peak of memory."""


def taken(words: Sequence[str], folder: Path) -> Taken:
    """Run a Python program in a folder; raises `RuntimeError` if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, sys.executable, *words],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder)},
        capture_output=True,
        check=True,
    )
    code, wall, cpu, peak = json.loads(done.stdout)
    if code:
        raise RuntimeError(f"{' '.join(words)} failed: {done.stderr.decode()[-500:]}")
    return Taken(wall, cpu, peak * 1024)


def _costs(found: Taken) -> tuple[str, str]:
    return f"{found.cpu:.1f} s", f"{found.peak / 2**20:.0f} MiB"
