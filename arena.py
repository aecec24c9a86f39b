"""The arena's command line: every command under one name."""

from __future__ import annotations

import click

from commands import (
    for_authors,
    for_clusters,
    for_everybody,
    for_organisers,
    for_seasons,
    for_the_desk,
)
from commands.cli_errors import end_on_signals
from commands.command_line import Arena
from tournament.version import __version__


@click.group(
    cls=Arena,
    epilog="Tab completion for bash, zsh and fish: see `arena completion --help`.",
)
@click.version_option(__version__, prog_name="Card Arena")
@click.option("--traceback", is_flag=True, help="Show where an error comes from, for developers.")
def main(traceback: bool) -> None:  # noqa: ARG001
    """Card Arena: where card-playing programs meet."""
    end_on_signals()


main.add_section("For authors of bots", for_authors.COMMANDS)
main.add_section("For organisers", for_organisers.COMMANDS)
main.add_section("For organisers, as at the desk", for_the_desk.COMMANDS)
main.add_section("For seasons that are being played", for_seasons.COMMANDS)
main.add_section("For many machines", for_clusters.COMMANDS)
main.add_section("For everybody", for_everybody.COMMANDS)

if __name__ == "__main__":
    main()
