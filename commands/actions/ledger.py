"""`arena ledger`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.cli_errors import Stop
from commands.printer import say, say_shape
from common.text import one_line
from results.proof.ledger import Entry
from results.store import Store

if TYPE_CHECKING:
    from commands.shapes.of_arena import LedgerShape


NAMESPACE = "card-arena"
"""What the signature of a head is for, as `ssh-keygen -Y` wants it."""


def ledger(tournament: str, head: bool, sign: Path | None, as_json: bool, store: Store) -> None:
    if bool(head) + (sign is not None) + as_json > 1:
        raise click.UsageError("expected one of --head, --sign and --json")
    last, newest = store.ledger_head(tournament)
    if head:
        say(newest)
    elif sign is not None:
        say(signed(newest, sign))
    elif as_json:
        say_shape(ledger_shape(tournament, newest, store.ledger_until(tournament, last)))
    else:
        for entry in store.ledger_until(tournament, last):
            say(line(entry))
        say(f"head    {newest}")


def ledger_shape(tournament: str, head: str, entries: Iterable[Entry]) -> LedgerShape:
    # only --json needs pydantic
    from commands.shapes.of_arena import LedgerEntry, LedgerShape

    return LedgerShape(
        tournament=tournament,
        head=head,
        entries=tuple(
            LedgerEntry(sha256=entry.sha256, text=entry.text, told=entry.data) for entry in entries
        ),
    )


def line(entry: Entry) -> str:
    return one_line(f"{entry['number']:>6}  {entry['time']}  season {entry.season}  {told(entry)}")


def told(entry: Entry) -> str:  # noqa: C901
    """What an entry tells, in a few words."""
    match entry.kind:
        case "announce":
            return f"announced, seed {entry['sha256']}"
        case "begin":
            return f"began, manifest {entry['sha256']}"
        case "nonce":
            return f"nonce of {entry['bot']} {entry['nonce']}"
        case "unshown":
            return f"no nonce was shown by {', '.join(entry['bots'])}"
        case "value":
            return f"public value {entry['value']}"
        case "attempt":
            return f"about to play {', '.join(entry['keys'])}"
        case "trial":
            return f"about to try version {entry['version']} at the table of {entry['key']}"
        case "match":
            where = f" on {entry['host']}" if entry["host"] else ""
            return f"played {entry['key']} {entry['sha256']}{where}"
        case "expel":
            return f"expelled version {entry['version']}: {entry['reason']}"
        case "probation":
            return f"probation of version {entry['version']}: {entry['reason']}"
        case "admit":
            return f"admitted version {entry['version']}: {entry['reason']}"
        case "annul":
            return f"annulled {entry['key'] or 'the season'}: {entry['reason']}"
        case "move":
            return (
                f"moved {entry['bot']} of {entry['author']} to {entry['to_bot']} of"
                f" {entry['to_author']}: {entry['reason']}"
            )
        case "void":
            return f"void {entry['key']}: {entry['reason']}"
        case "no sandbox":
            where = f" in {entry['key']}" if entry["key"] else ""
            return f"no sandbox for version {entry['version']}{where}: {entry['reason']}"
        case "unplayed":
            return f"left out {entry['key']}: {entry['reason']}"
        case "pause":
            return f"paused: {entry['reason']}"
        case "resume":
            return "resumed"
        case "finish":
            return f"finished, {entry['matches']} matches, standings {entry['sha256']}"
    return entry.kind


def signed(head: str, key: Path) -> str:
    """Sign a head, as the line that `--head` prints, with an SSH key."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise Stop("there is no ssh-keygen on this machine, which signs: install OpenSSH")
    if not key.is_file():
        raise Stop(f"there is no key {key}: expected an SSH key, such as ~/.ssh/id_ed25519")
    done = subprocess.run(
        [program, "-Y", "sign", "-f", str(key), "-n", NAMESPACE],
        input=f"{head}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stop(f"{key} can't sign: {' '.join(done.stderr.split())[:300]}")
    return done.stdout.rstrip("\n")
