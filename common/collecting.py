"""How often Python looks for cyclic garbage, in processes that play games or serve pages."""

from __future__ import annotations

import gc

RARELY = 20_000
"""Objects that are made before the youngest are looked through: more than a usual match keeps."""


def collect_rarely() -> None:
    """Let the records of a match come and go before the collector looks at them.

    Records and positions hold no cycles. By Python's own setting the collector would go through
    each of them once, which costs 2 µs a decision.
    """
    gc.set_threshold(RARELY)


def keep_what_there_is() -> None:
    """Spare the collector all that a program has set up: it is there until the end.

    Else every full collection goes through all modules and templates, and somebody waits a tenth of
    a second for a page.
    """
    gc.collect()
    gc.freeze()
