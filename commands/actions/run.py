"""`arena run` and `arena up`."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from card_arena.commands.account_settings import account_settings
from card_arena.commands.accounts import intake, operations
from card_arena.commands.actions.submit import submit_house
from card_arena.commands.console import Printer
from card_arena.commands.hosting import hosting
from card_arena.commands.leaderboard_process import serving
from card_arena.commands.playing import chosen, chosen_pool
from card_arena.commands.printer import say
from card_arena.commands.progress import Screen
from card_arena.results.lease import Lease
from card_arena.results.services import Heartbeat
from card_arena.results.sqlite_file import Reserve
from card_arena.results.store import Store
from card_arena.tournament.play.pool import Pool
from card_arena.tournament.play.runner import demand_sandboxes, run_once
from card_arena.tournament.play.runner import run as run_tournaments
from card_arena.tournament.settings import Settings


def run(
    folder: Path,
    only: tuple[str, ...],
    once: str | None,
    until_idle: bool,
    seed: bytes | None,
    cluster: str | None,
    keys: Path,
    store: Store,
) -> None:
    """Play one tournament, or all that are due until none ever will be."""
    if seed is not None and once is None:
        raise click.UsageError("--seed needs --once: every season has a seed of its own")
    tournaments = chosen(folder, (once,) if once else only)
    if once is None and not until_idle:
        Reserve(store.database.file).make()
    with (
        Lease(store.database),
        Screen(store, Printer()) as screen,
        chosen_pool(cluster, keys, screen.say) as pool,
    ):
        if once is None:
            with nullcontext(False) if until_idle else hosting(store) as plays:
                _play(store, tournaments, screen, pool, all_there_are=not only, wait=not until_idle)
                if plays:
                    screen.say("no more seasons are scheduled; tables are still played")
                    signal.pause()
            return
        with operations(store, screen.say) as queue:
            run_once(store, tournaments[0], screen, seed, pool, queue)


def up(
    folder: Path,
    only: tuple[str, ...],
    host: str,
    port: int,
    public: str | None,
    proxy: str,
    cluster: str | None,
    keys: Path,
    link: str | None,
    house: tuple[Path, ...],
    store: Store,
) -> None:
    """Serve the leaderboard from a process of its own, and play the tournaments that are due.

    Its address and the `link` are printed when the first page has been served, and again below
    standings. Before anything is played, the bots of the `house` are submitted.
    """
    where = [f"the leaderboard: {public or f'http://{host}:{port}'}", *([link] if link else ())]
    tournaments = chosen(folder, only)
    if not cluster:
        demand_sandboxes(tournaments, say)
    with Lease(store.database), serving(store, host, port, public, proxy), hosting(store):
        if house:
            say("\n".join(where))
            submit_house(house, store)
        with (
            Screen(store, Printer(), where) as screen,
            chosen_pool(cluster, keys, screen.say) as pool,
        ):
            screen.say_where()
            _play(store, tournaments, screen, pool, all_there_are=not only)
            screen.say("no more seasons are scheduled; still serving the leaderboard")
            screen.say_where()
        signal.pause()


def _play(
    store: Store,
    tournaments: Sequence[Settings[Any]],
    screen: Screen,
    pool: Pool | None,
    *,
    all_there_are: bool,
    wait: bool = True,
) -> None:
    """Play the tournaments that are due; raises the first error that kept one from being played."""
    heart = Heartbeat(store.database, "run")
    settings = account_settings()
    with (
        intake(store, screen.say) as accounts,
        operations(store, screen.say) as queue,
        heart if wait else nullcontext(),
    ):
        errors = run_tournaments(
            store,
            tournaments,
            screen,
            wait=wait,
            pool=pool,
            all_there_are=all_there_are,
            intake=accounts,
            operations=queue,
            challenges=settings.challenges if settings else None,
            pulse=heart.turn,
        )
    for error in errors.values():
        raise error
