"""`arena cluster scheduler`."""

from __future__ import annotations

from pathlib import Path

from commands.printer import say
from tournament.cluster.engine import checked_address
from tournament.cluster.scheduler import serve


def cluster_scheduler(address: str, keys: Path) -> None:
    serve(checked_address(address), keys, lambda found: say(f"the scheduler listens at {found}"))
