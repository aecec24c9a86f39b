"""The arena's command line; each command is in `commands`, by whom it is for."""

from __future__ import annotations

import click

from commands import experiment, for_authors, for_organisers, what_there_is
from commands.cli_errors import Arena, end_on_signals
from tournament.version import __version__

COMMANDS = (
    for_authors.check,
    for_authors.submit,
    for_authors.play,
    for_authors.duel,
    for_authors.replay,
    for_authors.repro,
    for_authors.stderr,
    for_organisers.run,
    for_organisers.up,
    for_organisers.serve,
    for_organisers.withdraw,
    for_organisers.tag,
    for_organisers.standings,
    for_organisers.verify,
    experiment.experiment,
    what_there_is.bots,
    what_there_is.games,
    what_there_is.languages,
    what_there_is.doctor,
    what_there_is.image,
)


@click.group(cls=Arena)
@click.version_option(__version__, prog_name="Card Arena")
@click.option("--traceback", is_flag=True, help="Show where an error comes from, for developers.")
def main(traceback: bool) -> None:  # noqa: ARG001
    """Card Arena: where card-playing programs meet."""
    end_on_signals()


for command in COMMANDS:
    main.add_command(command)

if __name__ == "__main__":
    main()
