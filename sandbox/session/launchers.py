"""How the sandboxes of one box are started, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from sandbox.session.pilot_client import Sandbox


class Launcher(Protocol):
    """Makes the sandboxes of one box, one after the other."""

    def launch(self, *, fresh: bool) -> Sandbox:
        """Make a sandbox, whose pilot has been greeted; raises `BackendMissing` or `BoxBroken`.

        A `fresh` one shares nothing that a bot could change with those before it; another may have
        the bot's files from the one before it.
        """
        ...

    def prepare(self) -> None:
        """Make another fresh sandbox meanwhile, where that takes long: it will be wanted."""
        ...

    def close(self) -> None:
        """Remove what the sandboxes had in common, when none of them is left."""
        ...


class LaunchEach:
    """A launcher of sandboxes that have nothing in common but the function that starts them.

    The next one is prepared in a thread: the time that it takes is the Docker engine's, not ours.
    """

    def __init__(self, start: Callable[[], Sandbox]) -> None:
        self._start = start
        self._ready: Future[Sandbox] | None = None
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="launcher")

    def launch(self, *, fresh: bool) -> Sandbox:  # noqa: ARG002 - they are all fresh
        """Make a sandbox, or give the one that is prepared; raises as `start` does."""
        ready, self._ready = self._ready, None
        return ready.result() if ready else self._start()

    def prepare(self) -> None:
        if self._ready is None:
            self._ready = self._threads.submit(self._start)

    def close(self) -> None:
        """Remove the one that was prepared and not used."""
        ready, self._ready = self._ready, None
        self._threads.shutdown(wait=ready is not None)
        if ready and not ready.exception():
            ready.result().close()
