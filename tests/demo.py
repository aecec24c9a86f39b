"""Starts `scripts/demo` as its reader does, until a champion has played in every demo.

With --page, it ends as soon as the page answers, while bots are still being submitted.

`python3 tests/demo.py` runs in a machine where nothing has been installed yet, so it imports the
standard library only. It prints when the page stood, and exits with 1 and a sentence if the demo
does not do what the README says of it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

SITE = "http://127.0.0.1:8000"
PAGE_SECONDS = 300
SEASON_SECONDS = 300
END_SECONDS = 60
DEMOS = sorted(file.stem for file in Path("tournaments").glob("demo-*.yaml"))


def page(path: str) -> bytes | None:
    """Return a page of the site; None while there is none."""
    try:
        with urllib.request.urlopen(SITE + path, timeout=30) as answer:
            content: bytes = answer.read()
    except (OSError, HTTPException):
        return None
    return content


def champion_matches(tournament: str) -> int:
    """Return how many matches the champions of a tournament have played."""
    standings = page(f"/api/v1/tournaments/{tournament}/standings")
    rows = json.loads(standings)["standings"] if standings else ()
    return sum(row["matches"] for row in rows if row["bot"].endswith("champion"))


def wait_for(
    what: Callable[[], object], why: str, demo: subprocess.Popen[str], seconds: int
) -> None:
    """Return once it is true; exits if the demo ends or the seconds are over."""
    deadline = time.monotonic() + seconds
    while demo.poll() is None and not what():
        if time.monotonic() > deadline:
            sys.exit(f"after {seconds} s this has not happened yet: {why}")
        time.sleep(0.1)
    if demo.returncode is not None:
        sys.exit(f"scripts/demo ended with {demo.returncode} before {why}")


def main() -> None:
    """Run the demo, look at its pages, and end it by Ctrl-C."""
    if not DEMOS or page("/"):
        sys.exit(f"run this in the checkout's root, while nobody serves {SITE}")
    # Ctrl-C may be ignored here, which programs that are started would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    # A group of its own, as a shell gives it: Ctrl-C reaches all its processes.
    demo = subprocess.Popen(["scripts/demo"], stdin=subprocess.DEVNULL, process_group=0, text=True)
    try:
        wait_for(lambda: page("/"), "its page answered", demo, PAGE_SECONDS)
        print(f"the page of scripts/demo stands after {time.monotonic() - begin:.1f} s", flush=True)
        for name in DEMOS if sys.argv[1:] != ["--page"] else ():
            why = f"a champion had played in {name}"
            wait_for(lambda name=name: champion_matches(name), why, demo, SEASON_SECONDS)
            print(f"a champion plays in {name}: {time.monotonic() - begin:.1f} s", flush=True)
        os.killpg(demo.pid, signal.SIGINT)
        code = demo.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"Ctrl-C did not end scripts/demo in {END_SECONDS} s")
    finally:
        if demo.poll() is None:
            os.killpg(demo.pid, signal.SIGKILL)
    if code != 130:
        sys.exit(f"Ctrl-C ended scripts/demo with {code} instead of 130")


if __name__ == "__main__":
    main()
