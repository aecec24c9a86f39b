"""The commands for many machines, as they are typed; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click import Argument, Option

from commands.cli_options import BOX_KIND, KEYS
from commands.command_line import LazyCommand

cluster = click.Group("cluster", help="What a cluster of several machines needs.")
cluster.add_command(
    LazyCommand(
        "keys",
        Argument(["folder"], type=click.Path(file_okay=False, path_type=Path)),
        group="cluster",
        module="cluster_keys",
        help="""Make the keys of a cluster.

        FOLDER is copied to every machine of the cluster, over a way that nobody else can read.
        Anybody who has it can join, and can run programs as you on all of these machines.
        """,
    )
)
cluster.add_command(
    LazyCommand(
        "scheduler",
        Argument(["address"], default="tls://0.0.0.0:8786"),
        KEYS,
        group="cluster",
        module="cluster_scheduler",
        help="""Run the scheduler, where workers and `arena run` meet.

        It listens at ADDRESS, by default tls://0.0.0.0:8786: on all interfaces. It keeps nothing
        and may be stopped and started again at any time.
        """,
    )
)

COMMANDS = (
    LazyCommand(
        "worker",
        Argument(["address"]),
        KEYS,
        Option(["--name"], help="What this machine is called.  [default: its host name]"),
        Option(
            ["--slots"],
            type=click.IntRange(1, 1024),
            help="How many matches it plays at a time.  [default: one for each core]",
        ),
        Option(
            ["--box", "boxes"],
            type=BOX_KIND,
            multiple=True,
            help="Only this kind of sandbox; can be given more than once.  [default: all]",
        ),
        help="""Play matches for a cluster whose scheduler is at ADDRESS.

        The machine is examined as by `arena doctor`, and then plays until Ctrl-C. It goes on
        looking for the scheduler, so machines may be started in any order.
        """,
    ),
    cluster,
)
