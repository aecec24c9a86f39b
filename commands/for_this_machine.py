"""The command that examines a machine and its arena, as it is typed."""

from __future__ import annotations

import click
from click import Option

from commands.cli_options import JSON
from commands.command_line import LazyCommand
from sandbox.backends.registry import BACKENDS

DOCTOR = LazyCommand(
    "doctor",
    Option(
        ["--box", "only"],
        type=click.Choice([*BACKENDS]),
        help="Examine only this kind of sandbox.",
    ),
    JSON,
    Option(
        ["--alarm"],
        is_flag=True,
        help="Examine no sandboxes, only what may go wrong on a server that nobody watches, and"
        " tell whoever arena.yaml names.",
    ),
    Option(
        ["--database"],
        envvar="ARENA_DATABASE",
        metavar="URL",
        help="The database that is examined; it need not exist.  [default: what arena.yaml"
        " says, else sqlite:///var/arena.db]",
    ),
    help="""Tell what sandboxes guarantee on this machine.

    Also name files of the arena that other users of the machine can read, and say what is amiss
    with its settings, secrets, database, disk, backups and certificate, and whether it plays and
    serves. The exit code is 0 if strangers' bots can be let into the default box, or into the one
    named; 1 if a usual guarantee is missing; 2 if there is no such box.

    With --alarm the exit code is 0 if nothing is amiss and 1 if anything is. It is told by mail or
    a webhook, as `alarm:` in arena.yaml says: once when it begins, now and then while it lasts, and
    once when it is over.
    """,
)
