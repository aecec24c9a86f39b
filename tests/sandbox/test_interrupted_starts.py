"""A sandbox ends with the process that starts it, wherever in its start that is interrupted."""

import os
import signal
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from card_arena.sandbox.backends.layout import pilots_folder
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import BuildLimits
from card_arena.tests.needs import need_sandbox

STEPS = 16
PATIENCE = 20.0


def start_and_wait():
    """Start the sandbox of a build in a session of its own, as a terminal's, and keep it."""
    try:
        os.setsid()
        # what a script starts in the background ignores it, and so does all that this starts
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        sandbox = backend("bubblewrap").launch_build(BuildLimits(), "")
        time.sleep(PATIENCE)
        sandbox.close()
    finally:
        os._exit(0)


def living(marker):
    """The processes that have this word on their command line."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(marker in word for word in process.info["cmdline"] or ()):
            found.append(process)
    return found


@pytest.mark.parametrize("whole_group", [True, False], ids=["from a terminal", "alone"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_an_arena_that_ends_during_a_start(number, whole_group, monkeypatch):
    need_sandbox("bubblewrap")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("ARENA_CACHE", f"{folder}/builds")
        interrupt_at_each_step(str(pilots_folder()), number, whole_group=whole_group)


def interrupt_at_each_step(marker, number, *, whole_group):
    """Interrupt a start again and again, a little later each time, and look for what is left."""
    begun = time.monotonic()
    backend("bubblewrap").launch_build(BuildLimits(), "").close()
    usual = time.monotonic() - begun
    for step in range(STEPS):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        starter = os.fork()
        if starter == 0:
            start_and_wait()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        time.sleep(1.2 * usual * step / STEPS)
        (os.killpg if whole_group and os.getpgid(starter) == starter else os.kill)(starter, number)
        os.waitpid(starter, 0)
        until = time.monotonic() + PATIENCE
        while left := [each for each in living(marker) if each.pid not in ours()]:
            assert time.monotonic() < until, (step, [each.cmdline()[:3] for each in left])
            time.sleep(0.01)


def ours():
    """The processes of sandboxes that wait in this process."""
    return {process.pid for process in psutil.Process().children(recursive=True)}
