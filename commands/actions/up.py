"""`arena up`."""

from __future__ import annotations

import signal
from pathlib import Path

from commands.accounts import intake, operations
from commands.chosen_pool import chosen_pool
from commands.console import Printer
from commands.leaderboard_process import serving
from commands.progress import Screen
from commands.tournament_files import chosen, complain
from results.lease import runner_lease
from results.services import Heartbeat
from results.store import Store
from tournament.play.runner import run as run_tournaments
from tournament.requirements import demand


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
    store: Store,
) -> None:
    """Serve the leaderboard from a process of its own, and play whatever is due.

    Its address and the `link` are said once the first page has been served, and again below
    standings.
    """
    where = [f"the leaderboard: {public or f'http://{host}:{port}'}", *([link] if link else ())]
    tournaments = chosen(folder, only)
    if not cluster:
        demand(tournaments)
    with runner_lease(store.database), serving(store, host, port, public, proxy):
        with (
            Screen(store, Printer(), where) as screen,
            chosen_pool(cluster, keys, screen.say) as pool,
            intake(store, screen.say) as accounts,
            operations(store, screen.say) as told,
        ):
            screen.say_where()
            with Heartbeat(store.database, "run") as heart:
                kept = run_tournaments(
                    store,
                    tournaments,
                    screen,
                    pool=pool,
                    all_there_are=not only,
                    intake=accounts,
                    operations=told,
                    pulse=heart.turn,
                )
            complain(kept)
            screen.say("no more seasons are scheduled; still serving the leaderboard")
            screen.say_where()
        signal.pause()
