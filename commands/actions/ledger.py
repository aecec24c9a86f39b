"""`arena ledger ...`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say, say_shape
from card_arena.common.text import one_line
from card_arena.leaderboard.models import Shape, Text
from card_arena.results.proof.ledger import Entry
from card_arena.results.store import Store

NAMESPACE = "card-arena"
"""The namespace of a signature, for `ssh-keygen -Y`."""


class LedgerEntry(Shape):
    """An entry of a ledger."""

    sha256: str
    """Its hash, which the next entry names."""
    text: Text
    """The exact text that is hashed."""
    content: Mapping[str, Any]
    """Its data."""


class LedgerShape(Shape):
    """The ledger of a tournament."""

    tournament: str
    """The tournament's name."""
    head: str
    """The hash of the last entry."""
    entries: tuple[LedgerEntry, ...]
    """The entries, the oldest first."""


def ledger_show(tournament: str, as_json: bool, store: Store) -> None:
    last, newest = store.ledger_head(tournament)
    entries = store.ledger_until(tournament, last)
    if as_json:
        items = tuple(
            LedgerEntry(sha256=entry.sha256, text=entry.text, content=entry.data)
            for entry in entries
        )
        say_shape(LedgerShape(tournament=tournament, head=newest, entries=items))
        return
    for entry in entries:
        say(line(entry))
    say(f"head    {newest}")


def ledger_head(tournament: str, store: Store) -> None:
    say(store.ledger_head(tournament)[1])


def ledger_sign(tournament: str, key: Path, store: Store) -> None:
    say(signed(store.ledger_head(tournament)[1], key))


def line(entry: Entry) -> str:
    return one_line(
        f"{entry['number']:>6}  {entry['time']}  season {entry.season}  {text_of(entry)}"
    )


def text_of(entry: Entry) -> str:  # noqa: C901
    """An entry in a few words."""
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
    """Sign a head, as the line that `arena ledger head` prints, with an SSH key."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise Stop("ssh-keygen not found on this machine. Install OpenSSH.")
    if not key.is_file():
        raise Stop(f"Key file {key} not found. Expected an SSH key, such as ~/.ssh/id_ed25519.")
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


def ledger_public(tournament: str, words: Sequence[str], store: Store) -> None:
    """Store the public value that a tournament's season waits for, or a part of it.

    `words` are the value, or a bot's name and its nonce. Without words, print the missing bots.
    """
    if len(words) > 2:
        raise click.UsageError("expected a value, or a bot and its nonce (quote blanks)")
    if len(words) == 1:
        number, value = store.reveal(tournament, words[0])
        say(_known(tournament, number, value))
        return
    round = store.show(tournament, *words) if words else store.settle(tournament)
    if words:
        say(f"the nonce of {words[0]} is in the ledger of {tournament}")
    if round.value is not None:
        if round.missing:
            say(f"not shown, and left out: {', '.join(round.missing)}")
        say(_known(tournament, round.season, round.value))
    else:
        say(f"shown: {', '.join(round.shown) or 'none'}; not yet: {', '.join(round.missing)}")


def _known(tournament: str, season: int, value: str) -> str:
    return f"season {season} of {tournament} has the public value {value}: `arena run` plays it now"
