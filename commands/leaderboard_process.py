"""The process that serves the leaderboard while this one runs tournaments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from card_arena.commands.cli_errors import Stop
from card_arena.commands.low_priority import yield_to_others
from card_arena.results.store import Store


@contextmanager
def serving(
    store: Store, host: str, port: int, public: str | None = None, proxy: str = ""
) -> Iterator[None]:
    """Serve the leaderboard from a process that ends with this one, however this one ends.

    The block begins when the first page has been served; only then does the process yield to
    others, so that it is there after seconds also where matches take all processors.
    If the server ends first, this program stops as by Ctrl-C and says why.
    """
    from card_arena.leaderboard.web import server as site

    try:
        site.listen(host, port).close()
    except site.PortInUse as error:
        raise Stop(str(error)) from error
    url = store.database.url.render_as_string(hide_password=False)
    server = subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "card_arena.arena"),
            *("serve", "--host", host, "--port", str(port), "--until-eof"),
            *(("--public", public) if public else ()),
            *(("--proxy", proxy) if proxy else ()),
        ],
        stdin=subprocess.PIPE,
        env={**os.environ, "ARENA_DATABASE": url},
        start_new_session=True,
    )
    assert server.stdin is not None
    leaving = threading.Event()
    threading.Thread(target=_stop_without, args=(server, leaving), daemon=True).start()
    try:
        site.wait_for_page(host, port)
        yield_to_others(server.pid)
        yield
    except KeyboardInterrupt:
        if server.poll() is not None:
            ended = f"the leaderboard's server ended unexpectedly (exit code {server.returncode})"
            raise Stop(ended, 1) from None
        raise
    finally:
        leaving.set()
        server.stdin.close()
        server.wait()


def _stop_without(server: subprocess.Popen[bytes], leaving: threading.Event) -> None:
    """Stop the program as by Ctrl-C if the server ends first."""
    server.wait()
    if not leaving.is_set():
        os.kill(os.getpid(), signal.SIGINT)
