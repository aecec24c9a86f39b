"""`arena cluster scheduler`."""

from __future__ import annotations

from pathlib import Path

from cluster.engine import checked_address
from cluster.scheduler import serve
from commands.printer import say


def cluster_scheduler(address: str, keys: Path) -> None:
    serve(checked_address(address), keys, lambda found: say(f"the scheduler listens at {found}"))
