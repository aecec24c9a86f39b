"""`arena cluster ...`."""

from __future__ import annotations

from pathlib import Path

import click

from card_arena.cluster.engine import CA, MEMBER, checked_address, host_name, make_keys, security
from card_arena.cluster.host import CHECKING, HostOfSlots, host_info
from card_arena.cluster.parcels import default_blob_cache
from card_arena.cluster.scheduler import serve
from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say
from card_arena.common.hosts import LONGEST_NAME
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tournament.play.pool import cores


def cluster_keys(folder: Path) -> None:
    try:
        make_keys(folder)
    except OSError as error:
        raise Stop(f"{folder} can't be written: {error.strerror}") from error
    say(f"{folder / CA} and {folder / MEMBER} are the keys of one cluster.")
    say(f"Copy the folder to every machine of it, such as with `scp -rp {folder} HOST:`.")
    say("Anybody who has the keys can run programs as you on all of these machines.")


def cluster_scheduler(address: str, keys: Path) -> None:
    serve(
        checked_address(address),
        keys,
        lambda listening: say(f"the scheduler listens at {listening}"),
    )


def cluster_worker(
    address: str, keys: Path, name: str | None, slots: int | None, sandboxes: tuple[str, ...]
) -> None:
    """Check this machine, and play for a cluster until interrupted."""
    address = checked_address(address)
    security(address, keys)
    if name is not None and (len(name) > LONGEST_NAME or not name.isprintable() or not name):
        raise click.BadParameter(f"--name: expected 1 to {LONGEST_NAME} printable characters")
    ours = cores()
    chosen = [ours[number % len(ours)] for number in range(slots or len(ours))]
    say(CHECKING)
    missing: dict[str, str] = {}
    host = host_info(
        name or host_name(), len(ours), sandboxes or tuple(BACKENDS), missing.__setitem__
    )
    say(f"{host.name}: arena {host.arena}, {host.cores} cores, speed {host.speed:g}")
    for kind, guarantees in host.sandboxes.items():
        say(f"  {kind} sandboxes keep {len(guarantees)} guarantees")
    for kind, why in missing.items():
        say(f"  no {kind} sandboxes: {why}")
    if not host.sandboxes:
        raise Stop("This machine can't play: no kind of sandbox works. `arena doctor` says why.")
    say(f"  languages: {', '.join(host.languages) or 'none'}")
    with HostOfSlots(host, chosen, address, keys, default_blob_cache(), say) as slots_here:
        slots_here.wait()
