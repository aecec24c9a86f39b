"""The names of commands whose modules are imported when they run."""

from __future__ import annotations

from collections.abc import Iterator

import click

from card_arena import arena
from card_arena.commands.command_line import LazyCommand


def lazy(group: click.Group = arena.main) -> Iterator[LazyCommand]:
    for command in group.commands.values():
        if isinstance(command, click.Group):
            yield from lazy(command)
        else:
            assert isinstance(command, LazyCommand), command.name
            yield command
