"""The commands for everybody, as they are typed; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click import Argument, Option

from commands import completion
from commands.cli_options import JSON, store_option
from commands.command_line import LazyCommand

COMMANDS = (
    LazyCommand(
        "standings",
        Argument(["tournament"], required=False, shell_complete=completion.tournaments),
        Option(["--season"], type=int, help="The number of a season.  [default: the latest]"),
        Option(
            ["--versus"],
            is_flag=True,
            help="All seasons of the tournament together: strengths, and who leads whom.",
        ),
        Option(
            ["--all-games"],
            is_flag=True,
            help="One order of bots over all games, every game with the same weight.",
        ),
        Option(
            ["--from", "address"],
            metavar="URL",
            help="Ask the arena at this address, such as https://arena.example; it needs no"
            " database.",
        ),
        JSON,
        store_option(on_demand=True),
        help="Show the standings of a tournament, or of all.",
    ),
    LazyCommand(
        "pull",
        Argument(["address"], metavar="ADDRESS"),
        Argument(["file"], required=False, type=click.Path(dir_okay=False, path_type=Path)),
        help="""Fetch a match or a season from another arena.

        ADDRESS is that of its page, such as https://arena.example/match/friday/0003/t07/r2/a or
        https://arena.example/t/friday/3. `arena replay` and `arena repro` read the file of a match,
        and `arena verify` that of a season. Without FILE, it is called like friday-0003.zip.
        """,
    ),
    LazyCommand("bots", JSON, store_option(), help="List the bots in the database."),
    LazyCommand("games", JSON, help="List the games and the options of their tables."),
    LazyCommand(
        "languages",
        JSON,
        help="List the languages for bots, and what this machine lacks.",
    ),
    LazyCommand(
        "experiment",
        Argument(["name"], required=False, shell_complete=completion.experiments),
        Option(["--all", "every"], is_flag=True, help="Run all experiments, one after the other."),
        Option(["--quick"], is_flag=True, help="Play just enough to try everything once."),
        Option(["--full"], is_flag=True, help="Simulate all cells, with many runs; takes hours."),
        Option(
            ["--folder"],
            type=click.Path(path_type=Path),
            default="experiments",
            show_default=True,
            help="The folder with the experiments.",
        ),
        Option(
            ["--into"],
            type=click.Path(path_type=Path),
            default="var/experiments",
            show_default=True,
            help="The folder for the results: a database and a report for each experiment.",
        ),
        JSON,
        help="""Play an experiment and compare it with the published figures.

        Without a name, list the experiments. An experiment can be stopped at any moment; started
        again, it plays only what is missing. An experiment without tournaments only computes, or
        draws runs of a simulation; of these there is a smaller size and, with --full, a full one.
        """,
    ),
    LazyCommand(
        "completion",
        Argument(["shell"], type=click.Choice(["bash", "zsh", "fish"])),
        help="""Print the script that completes `arena` in a shell.

        \b
        bash  echo 'eval "$(arena completion bash)"' >> ~/.bashrc
        zsh   echo 'autoload -U compinit && compinit' >> ~/.zshrc  # if it isn't there yet
              echo 'eval "$(arena completion zsh)"' >> ~/.zshrc
        fish  arena completion fish > ~/.config/fish/completions/arena.fish
        """,
    ),
)
