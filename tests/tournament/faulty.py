"""Seasons in which bots fail in every way, so that their records hold faults of every kind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from card_arena.results.entries import Entrant
from card_arena.results.store import Store
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import SEED, Bot, Notes
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.play.season import play_season
from card_arena.tournament.play.steps import finish
from card_arena.tournament.settings import settings_of

FAILS = """\
n=$(printf %s "$*" | cksum); n=${n%% *}
case $((n % SPREAD)) in
    0) echo what ;;
    1) echo "ILLEGAL" ;;
    2) echo "RIGHT"; exit 3 ;;
    3) exit 0 ;;
    4) head -c 5000 /dev/zero | tr '\\0' x; echo ;;
    5) yes | head -c 300000 ;;
    6) printf S; sleep 100 ;;
    7) while :; do :; done ;;
    8) kill -9 $$ ;;
    9) echo "RIGHT"; echo again; sleep AWHILE ;;
    10) tail /dev/zero; exit 1 ;;
    11) echo "   RIGHT" ;;
    *) echo "RIGHT" ;;
esac
"""
"""What a bot does with a question that it has in its arguments: it depends on their words."""

LISTED = '$(f=${3%%,*}; f=${f%%..*}; [ "$2" = discard ] && f=$(echo $3 | cut -d, -f1-6); echo $f)'
"""The first legal answer, where questions begin with game, phase and legal answers."""

ANSWERS = {
    "blackjack": ("B 100000", "S"),
    "spades": ("2S", LISTED),
    "blot": ("7S", LISTED),
    "tarot": ("EX", LISTED),
    "durak": ("pass 2C", LISTED),
}
"""An answer that is mostly not allowed, and one that is."""

SMALL: dict[str, dict[str, Any]] = {
    "blackjack": {"seats": 2, "options": {"hands": 3}, "duplicate": True},
    "spades": {"options": "one_round"},
    "blot": {"options": "one_deal"},
    "tarot": {"options": {"deals": 1}},
    "durak": {"seats": 2},
}
"""The smallest table of each game."""

HASTY = {
    "clock": {"question": "1s", "start": "1500ms", "overrun": "50ms"},
    "limits": {"cpu": "500ms", "memory": "64MiB"},
    "strikes": {"limit": 100, "forgiven": ["illegal"]},
}
"""Little time, so that a bot that never answers costs little, and no end of strikes."""


def faulty(game: str, protocol: str, spread: int) -> Bot:
    """A bot that does one of `spread` things, of which the first twelve are described above."""
    illegal, right = ANSWERS[game]
    script = (
        FAILS.replace("ILLEGAL", illegal).replace("RIGHT", right).replace("SPREAD", str(spread))
    )
    script = script.replace("AWHILE", "100" if protocol == "argv" else "0.01")
    if protocol == "stdin":
        script = f"set -f; set -- $line\n{script}"
        script = f'while read -r line; do case $line in "#"*) ;; *)\n{script} ;;\nesac; done'
    return Bot(f"faulty-{protocol}", protocol, "shell", f"#!/bin/sh\n{script}", game=game)


def faulty_season(folder: Path, game: str, spread: int = 40, **more: Any) -> Path:
    """Play a short season of bots that fail, and export it; the database lies beside the file."""
    said = {"name": "small", "game": game, "format": {"contest": {"legs": 1, "rounds": 1}}}
    said |= {"same_author": "together"}
    settings = settings_of({**said, **HASTY, **SMALL[game], **more})
    store = fresh_store(folder / "arena.db")
    try:
        with stage.Here() as pool, pool.queue("small", 1, 2) as queue:
            players = []
            for protocol in ("argv", "stdin"):
                for copy in ("", "-too"):
                    bot = faulty(game, protocol, spread)
                    bot = Bot(bot.name + copy, *(bot.protocol, bot.language, bot.source), game=game)
                    players.append(Entrant(stage.submit(store, bot.write(folder / "bots")).id))
            season = begin(store, settings, players, datetime.now(UTC), SEED)
            finish(play_season(store, season, queue, Notes()))
        store.refresh_ratings("small")
        file = folder / "small-0001.zip"
        with file.open("wb") as target:
            store.export("small", 1, target)
    finally:
        store.close()
    return file


def opened(file: Path) -> Store:
    """The database that a season's file was exported from."""
    return Store(f"sqlite:///{file.parent / 'arena.db'}")
