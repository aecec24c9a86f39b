"""What is shown while a database is copied, backed up or restored, and afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from accounts.keeping import BackupSummary
from commands.console import Printer
from commands.progress import Counter
from common.text import one_line
from results.backup import Watch, told


@contextmanager
def copying(rows: int) -> Iterator[Watch]:
    with Counter(Printer(), "rows", rows) as counter:
        yield counter.count


def summary(kept: BackupSummary) -> str:
    """Say what was written: "3 bots, 1 tournament ... and on the site 2 people, 1 team"."""
    found = told(kept.results)
    if kept.accounts is None:
        return found
    waiting = f" with {kept.files:,} files that wait" if kept.files else ""
    return f"{found}, and on the site {told(kept.accounts)}{waiting}"


def heads(kept: BackupSummary) -> str:
    return "\n".join(
        one_line(f"  {head.tournament}: {head.entries} entries of its ledger, head {head.sha256}")
        for head in kept.results.heads
    )
