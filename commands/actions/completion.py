"""`arena show completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from card_arena.commands.printer import say


def completion(shell: str) -> None:
    """Print the script with which a shell completes the program that is running."""
    context = click.get_current_context().find_root()
    name = context.info_name or "arena"
    variable = f"_{name}_COMPLETE".replace("-", "_").replace(".", "_").upper()
    kind = get_completion_class(shell)
    assert kind is not None
    say(kind(context.command, {}, name, variable).source())
