"""`arena cluster keys`."""

from __future__ import annotations

from pathlib import Path

from cluster.engine import CA, MEMBER, make_keys
from commands.cli_errors import Stop
from commands.printer import say


def cluster_keys(folder: Path) -> None:
    try:
        make_keys(folder)
    except OSError as error:
        raise Stop(f"{folder} can't be written: {error.strerror}") from error
    say(f"{folder / CA} and {folder / MEMBER} are the keys of one cluster.")
    say(f"Copy the folder to every machine of it, such as with `scp -rp {folder} HOST:`.")
    say("Anybody who has them can run programs as you on all of these machines.")
