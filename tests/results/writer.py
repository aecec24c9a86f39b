"""Writes to a store while others do: `python -m card_arena.tests.results.writer ...`.

race URL WHO    submits a bot, a version of the common bot, opens seasons and saves matches
die URL WHEN    saves a match and kills itself in front of the statement that begins so
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from card_arena.results.store import Store
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    made_submission,
    save_match,
)

MATCHES = [f"common/0001/t01/r{number:02}/a" for number in range(1, 21)]


def race(url: str, who: str) -> None:
    store = Store(url)
    bots = [store.version("ann"), store.version("bob")]
    for number in range(5):
        store.submit(made_submission("shared", digest=f"{who}{number}"), "ada")
        made_season(store, bots, "raced")
    for key in MATCHES:
        record = made_record([ord(who), 2], faults={0: ["crash"]})
        saved = save_match(store, 1, made_match(key, [bot.id for bot in bots], record))
        if saved.scores == (ord(who), 2):
            print(key)
        store.refresh_ratings("common")
    store.close()


def die(url: str, when: str) -> None:
    store = Store(url)
    bots = made_bots(store, "ann", "bob")

    def kill_before(_: Any, __: Any, statement: str, *___: Any) -> None:
        if statement.startswith(when):
            os.kill(os.getpid(), signal.SIGKILL)

    def kill_at_commit(_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    record = made_record([1, 2], faults={0: ["crash"]})
    save_match(store, 1, made_match("common/0001/t01/r01/a", [b.id for b in bots], record))
    if when == "COMMIT":
        event.listen(Engine, "commit", kill_at_commit)
    else:
        event.listen(Engine, "before_cursor_execute", kill_before)
    save_match(store, 1, made_match("common/0001/t01/r02/a", [b.id for b in bots], record))


if __name__ == "__main__":
    {"race": race, "die": die}[sys.argv[1]](*sys.argv[2:])
