"""Which tournaments and tables a command plays, and on which machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from card_arena.commands.printer import say
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tournament.exhibition import house_table
from card_arena.tournament.play.pool import Pool
from card_arena.tournament.play.runner import NO_WALLS
from card_arena.tournament.settings import Settings, read_folder


@contextmanager
def chosen_pool(
    cluster: str | None, keys: Path, say: Callable[[str], None]
) -> Iterator[Pool | None]:
    """The pool of a cluster, or None for this machine.

    Raises `EngineMissing`, `BadAddress` and `OpenKeys`.
    """
    if not cluster:
        yield None
        return
    from card_arena.cluster.scheduler import LOCAL, local_cluster  # Dask takes a second to import

    if cluster == LOCAL:
        with local_cluster(say) as pool:
            yield pool
        return
    from card_arena.cluster.engine import checked_address
    from card_arena.cluster.pool import ClusterPool

    with ClusterPool(checked_address(cluster), keys, say) as pool:
        yield pool


def chosen(folder: Path, names: tuple[str, ...]) -> tuple[Settings[Any], ...]:
    """Read the tournaments of these names in this order, or all of them if none is named."""
    named = [settings for name in names for settings in read_folder(folder, name)]
    return tuple(named) or read_folder(folder)


def set_up(
    name: str,
    options: Sequence[str] = (),
    *,
    preset: str | None = None,
    sandbox: str | None = None,
    wheels: Path | None = None,
    duel: bool = False,
) -> Settings[Any]:
    """Set up a table for a game or from a tournament file, and warn if it has no sandbox."""
    table = house_table(name, options, preset=preset, sandbox=sandbox, wheels=wheels, duel=duel)
    warn_without_walls(table.sandbox)
    return table


def warn_without_walls(sandbox: str) -> None:
    if not BACKENDS[sandbox].isolated:
        say(f"without a sandbox: {NO_WALLS}", err=True)
