"""`arena run`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from commands.accounts import intake, operations
from commands.chosen_pool import chosen_pool
from commands.console import Printer
from commands.progress import Screen
from commands.tournament_files import chosen, complain
from results.lease import runner_lease
from results.services import Heartbeat
from results.sqlite_file import Reserve
from results.store import Store
from tournament.play.runner import run as run_tournaments
from tournament.play.runner import run_once


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
        runner_lease(store.database),
        Screen(store, Printer()) as screen,
        chosen_pool(cluster, keys, screen.say) as pool,
        intake(store, screen.say) as accounts,
        operations(store, screen.say) as told,
    ):
        if once is not None:
            run_once(store, tournaments[0], screen, seed, pool, told)
            return
        heart = Heartbeat(store.database, "run")
        with nullcontext() if until_idle else heart:
            kept = run_tournaments(
                store,
                tournaments,
                screen,
                wait=not until_idle,
                pool=pool,
                all_there_are=not only,
                intake=accounts,
                operations=told,
                pulse=heart.turn,
            )
        complain(kept)
