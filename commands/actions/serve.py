"""`arena serve`."""

from __future__ import annotations

import os
import signal
import sys
import threading

from card_arena.commands.accounts import setup
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.cli_errors import Stop
from card_arena.commands.hosting import play_settings
from card_arena.commands.known_languages import known_languages
from card_arena.commands.printer import say
from card_arena.leaderboard.web import server as site
from card_arena.leaderboard.web.requests import public_address
from card_arena.results.services import Heartbeat
from card_arena.results.sqlite_file import Reserve
from card_arena.results.store import Store


def serve(
    host: str, port: int, public: str | None, proxy: str, until_eof: bool, store: Store
) -> None:
    """Serve the leaderboard until Ctrl-C, or until standard input ends."""

    def listening() -> None:
        if not until_eof:
            say(f"the leaderboard: {public or f'http://{host}:{port}'}")

    if until_eof:
        threading.Thread(target=_end_with_input, daemon=True).start()
    Reserve(store.database.file).make()
    url = store.database.url.render_as_string(hide_password=False)
    try:
        address = public_address(public) if public else None
        prepare = setup(store, public or f"http://{host}:{port}")
        with Heartbeat(store.database, "serve"):
            site.serve(
                url,
                host,
                port,
                listening,
                address,
                prepare,
                proxy,
                languages=known_languages(),
                zone=arena_zone(),
                play=play_settings(),
            )
    except site.PortInUse as error:
        raise Stop(str(error)) from error


def _end_with_input() -> None:
    """Wait until standard input ends, then stop the program as Ctrl-C does."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGINT)
