"""What is shown while a database is copied, backed up or restored, and afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from commands.console import Printer
from commands.progress import Counter
from common.escaping import one_line
from leaderboard.storage.copying import Contents, Watch


@contextmanager
def copying(rows: int) -> Iterator[Watch]:
    """Show how many of the rows were written."""
    with Counter(Printer(), "rows", rows) as counter:
        yield counter.count


def heads(found: Contents) -> str:
    """Say where every ledger ends."""
    return "\n".join(
        one_line(f"  {head.tournament}: {head.entries} entries of its ledger, head {head.sha256}")
        for head in found.heads
    )
