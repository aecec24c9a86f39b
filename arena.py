"""The arena's command line: every command under one name."""

from __future__ import annotations

import click

from card_arena.commands.cli_errors import end_on_signals
from card_arena.commands.command_line import Arena
from card_arena.commands.daily import DAILY
from card_arena.commands.groups import GROUPS
from card_arena.tournament.version import __version__


@click.group(cls=Arena, options_metavar="[--version] [--traceback]")
@click.version_option(__version__, prog_name="Card Arena")
@click.option("--traceback", is_flag=True, help="Show where an error comes from, for developers.")
def main(traceback: bool) -> None:  # noqa: ARG001
    """Card Arena: where card-playing programs meet."""
    end_on_signals()


main.add_section("", DAILY)
main.add_section("More commands; `arena GROUP --help` lists those of a group", GROUPS)

if __name__ == "__main__":
    main()
