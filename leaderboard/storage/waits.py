"""How long whoever uses a database waits for others who do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waits:
    """How many seconds a reader and a writer of a SQLite file wait for another program.

    A site has few threads, and others want to read meanwhile. So no more than so many `writers` at
    a time may wait there (0: any number), whoever comes later waits `place` seconds for one of
    their places; and for `after` seconds after one waited in vain the others wait as readers do.
    On PostgreSQL readers don't wait.
    """

    write: float = 30.0
    read: float = 30.0
    writers: int = 0
    place: float = 1.0
    after: float = 5.0


FOR_A_SITE = Waits(write=10.0, read=0.5, writers=4)
"""How long the pages of a site wait."""
