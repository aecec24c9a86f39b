"""The commands in groups; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click import Argument, Option

from card_arena.commands import completion
from card_arena.commands.cli_options import (
    GAME_OF_MATCH,
    JSON,
    KEYS,
    LISTENER,
    SANDBOX_KIND,
    Moment,
    Names,
    Quantity,
    accounts_option,
    store_option,
)
from card_arena.commands.command_line import LazyCommand
from card_arena.commands.operation_commands import commands_on


def _languages() -> list[str]:
    from card_arena.sandbox.languages.registry import (
        LANGUAGES,  # only `arena image check` needs them
    )

    return [*LANGUAGES]


def _reason(**settings: Any) -> Option:
    return Option(
        ["--reason"],
        metavar="REASON",
        help="The reason, for the log.",
        **settings,
    )


EMAIL = Argument(["email"])

VISIBILITY = (
    LazyCommand(
        "visibility",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Option(
            ["--names"],
            type=click.Choice(["all", "own"]),
            help="The names that others see: all, or each team only its own.",
        ),
        Option(["--top"], type=int, help="Others see the names of this number of first places."),
        Option(
            ["--freeze"],
            type=Moment(),
            help="Hide new results from this moment on, such as now or 2026-11-27T20:00.",
        ),
        Option(["--open", "thaw"], is_flag=True, help="Show the frozen results."),
        JSON,
        store_option(),
        group="season",
        help="""Set or show who sees a tournament's results on the pages.

        Organisers see everything, and teams their own matches. A freeze never hides what the season
        can be checked by: the hashes of its seed and its manifest, and the head of the ledger.
        """,
    ),
)

PEOPLE = (
    *commands_on("person"),
    LazyCommand(
        "list", JSON, accounts_option(), group="people", help="List everybody with an account."
    ),
    LazyCommand(
        "invite",
        Argument(
            ["people"],
            required=False,
            metavar="[FILE]",
            type=click.Path(dir_okay=False, path_type=Path),
        ),
        Option(["--email"], help="Invite one person, with this address."),
        Option(["--name"], help="The person's name."),
        Option(["--team"], default="", help="The person's team.  [default: the name]"),
        Option(
            ["--team-of"],
            metavar="AUTHOR",
            help="Put them into the team of this author, whose bots are the team's from now on.",
        ),
        Option(["--organiser"], is_flag=True, help="They may use the admin pages."),
        Option(
            ["--links"],
            type=click.Choice(["mail", "print", "both"]),
            help="Send the links, print them, or both.  [default: mail if `accounts:` names a"
            " server, otherwise print]",
        ),
        *LISTENER,
        store_option(existing=False),
        group="people",
        help="""Make accounts, and send or print a link for each.

        A link signs its person in once.

        FILE is a list of people as CSV, whose first line names the columns: name, email and, if
        wanted, team and number (the student's); `-` is standard input. Whoever has an account keeps
        it and gets a new link. Accounts are of use where `accounts:` in arena.yaml opens accounts.
        """,
    ),
    LazyCommand(
        "link",
        EMAIL,
        *LISTENER,
        accounts_option(),
        group="people",
        help="Print a new link that signs somebody in once; older ones end.",
    ),
    LazyCommand(
        "excuse",
        EMAIL,
        _reason(default=""),
        Option(["--deadline"], type=Moment(), help="A later deadline for this person alone."),
        Option(["--as-usual"], is_flag=True, help="End an excuse."),
        accounts_option(),
        group="people",
        help="""Excuse somebody, with a later deadline if wanted.

        The reason stands in the log and beside the mark. `arena people limits --team` sets a later
        deadline for a whole team.
        """,
    ),
    LazyCommand(
        "rename-team",
        Argument(["team"]),
        Argument(["name"]),
        store_option(),
        group="people",
        help="Rename a team that has no bots yet.",
    ),
    LazyCommand(
        "give-bots",
        Argument(["team"]),
        store_option(),
        group="people",
        help="Give a team the bots whose author has its name.",
    ),
    LazyCommand(
        "limits",
        Option(["--team"], help="Of this team alone.  [default: everybody]"),
        Option(["--a-day"], type=int, help="Uploads in 24 hours."),
        Option(["--size"], type=Quantity("size", "read_size"), help="The largest upload."),
        Option(["--bots"], type=int, help="Bots that a team may have."),
        Option(["--bots-a-person"], type=int, help="Bots that each person may have."),
        Option(["--deadline"], type=Moment(), help="The deadline for uploads."),
        Option(
            ["--grace"],
            type=Quantity("age", "read_age"),
            help="How long after the deadline late uploads are accepted, such as 12h.",
        ),
        _reason(default=""),
        Option(["--as-usual"], is_flag=True, help="Remove the limits that were set here."),
        JSON,
        accounts_option(),
        group="people",
        help="""Set or show the limits of uploads; they override arena.yaml.

        What is set replaces all that was set before for everybody, or for this team.
        """,
    ),
    LazyCommand(
        "message",
        Argument(["text"], required=False),
        Option(["--team"], help="For this team alone.  [default: everybody]"),
        Option(["--until"], type=Moment(), help="Expiry time."),
        Option(["--end"], type=int, metavar="NUMBER", help="Show this message no longer."),
        JSON,
        accounts_option(),
        group="people",
        help="Show a message on people's pages, or list them all.",
    ),
)

DATABASE = (
    LazyCommand(
        "backup",
        Argument(["file"], type=click.Path(dir_okay=False, path_type=Path)),
        store_option(),
        group="db",
        help="""Write the whole database to one file.

        Tournaments may go on meanwhile. The file is the database as it was at one moment, with its
        bots, seeds and results, so only you can read it. An older backup of this name is replaced
        when the new one is complete.
        """,
    ),
    LazyCommand(
        "restore",
        Argument(["file"], type=click.Path(dir_okay=False, path_type=Path)),
        Option(["--replace"], is_flag=True, help="Replace everything that the database holds."),
        store_option(existing=False, on_demand=True),
        group="db",
        help="""Put a backup into an empty database.

        With --replace it need not be empty. A backup that was cut, damaged or changed is refused.
        Whatever interrupts the command, the database is then as it was.
        """,
    ),
    LazyCommand(
        "copy",
        Argument(["source"], metavar="FROM-URL"),
        Argument(["target"], metavar="TO-URL"),
        group="db",
        help="""Copy a whole database to an empty one.

        Each address is sqlite:///path/to/file or postgresql+psycopg://user@host/name. Tournaments
        may go on in the first database meanwhile, but what is played after the command has begun is
        not copied.
        """,
    ),
    LazyCommand(
        "prune",
        Option(
            ["--words"],
            type=Quantity("age", "read_age"),
            metavar="AGE",
            help="Take the words of questions out of records that are older, such as 30d.",
        ),
        Option(
            ["--stderr"],
            type=Quantity("age", "read_age"),
            metavar="AGE",
            help="Remove what bots wrote on standard error in older matches.",
        ),
        Option(
            ["--logs"],
            type=Quantity("age", "read_age"),
            metavar="AGE",
            help="Remove the logs of older builds.",
        ),
        Option(
            ["--cache"],
            type=Quantity("size", "read_size"),
            metavar="SIZE",
            help="Remove the least recently used builds until all have this size, such as 1GiB.",
        ),
        Option(["--dry-run"], is_flag=True, help="Only list what would be pruned."),
        store_option(on_demand=True),
        group="db",
        help="""Make the database and the cache smaller.

        Without options, say what takes how much room. Nothing that `arena verify` needs is ever
        removed: the same version of the rules tells the words of questions again, and builds are
        made again when their bots play.
        """,
    ),
)

LEDGER = (
    LazyCommand(
        "show",
        Argument(["tournament"], shell_complete=completion.tournaments),
        JSON,
        store_option(),
        group="ledger",
        help="""Show the ledger of a tournament.

        It tells all that happened, each entry with the hash of the one before.
        """,
    ),
    LazyCommand(
        "head",
        Argument(["tournament"], shell_complete=completion.tournaments),
        store_option(),
        group="ledger",
        help="""Print the hash of the last entry.

        Whoever has saved it can tell later whether anything was changed: `arena verify NAME --head
        HASH`.
        """,
    ),
    LazyCommand(
        "sign",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Argument(["key"], type=click.Path(path_type=Path)),
        store_option(),
        group="ledger",
        help="Sign the hash of the last entry with an SSH key, and print the signature.",
    ),
    LazyCommand(
        "public",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Argument(["words"], nargs=-1, metavar="[VALUE | BOT NONCE]"),
        store_option(),
        group="ledger",
        help="""Enter the public value that a season waits for.

        `public_value:` in the tournament file says what it is. It goes into the key of the deals,
        and can't be changed. Where it is made of the authors' nonces, each is shown with its bot's
        name; without any, the command says which are missing.
        """,
    ),
)

CLUSTER_COMMANDS = (
    LazyCommand(
        "keys",
        Argument(["folder"], type=click.Path(file_okay=False, path_type=Path)),
        group="cluster",
        help="""Make the keys of a cluster.

        FOLDER is copied to every machine of the cluster, over a way that nobody else can read.
        Anybody who has it can join, and can run programs as you on all of these machines.
        """,
    ),
    LazyCommand(
        "scheduler",
        Argument(["address"], default="tls://0.0.0.0:8786"),
        KEYS,
        group="cluster",
        help="""Run the scheduler, where workers and `arena run` meet.

        It listens at ADDRESS, by default tls://0.0.0.0:8786: on all interfaces. It keeps nothing
        and may be stopped and started again at any time.
        """,
    ),
    LazyCommand(
        "worker",
        Argument(["address"]),
        KEYS,
        Option(["--name"], help="The name of this machine.  [default: its host name]"),
        Option(
            ["--slots"],
            type=click.IntRange(1, 1024),
            help="How many matches it plays at a time.  [default: one for each core]",
        ),
        Option(
            ["--sandbox", "sandboxes"],
            type=SANDBOX_KIND,
            multiple=True,
            help="Only this kind of sandbox; can be given more than once.  [default: all]",
        ),
        group="cluster",
        help="""Play matches for a cluster whose scheduler is at ADDRESS.

        The machine is checked as by `arena doctor`, and then plays until Ctrl-C. It keeps
        looking for the scheduler, so machines may be started in any order.
        """,
    ),
)

IMAGE = (
    LazyCommand(
        "build",
        Option(
            ["--sandbox", "kind"],
            type=click.Choice(["docker", "bubblewrap"]),
            default="docker",
            show_default=True,
            help="The kind of sandbox that the image is for.",
        ),
        Option(
            ["--network"],
            metavar="NAME",
            help="The Docker network to fetch packages over, such as host.",
        ),
        Option(
            ["--update"],
            is_flag=True,
            help="Install the newest packages, security updates among them: run every step again.",
        ),
        group="image",
        help="""Build the image; without --update Docker reuses what it has built before.

        With --sandbox bubblewrap, build an image of this machine's programs, of which every sandbox
        gets a copy of its own: bots then can't communicate through files that all sandboxes see.
        This needs root, and has to be repeated when programs are installed or updated.
        """,
    ),
    LazyCommand(
        "check",
        Argument(["languages"], nargs=-1, type=Names(_languages), metavar="[LANGUAGE]..."),
        group="image",
        help="""Build the starter bot of every language in the image, and ask it every game's
        questions.
        """,
    ),
)

SHOW = (
    LazyCommand("bots", JSON, store_option(), help="List the bots in the database."),
    LazyCommand("games", JSON, help="List the games and the options of their tables."),
    LazyCommand(
        "languages",
        JSON,
        help="List the languages for bots, and what this machine lacks.",
    ),
    LazyCommand(
        "stderr",
        Argument(["key"], metavar="MATCH"),
        Argument(["bot"], shell_complete=completion.stored_bots),
        GAME_OF_MATCH,
        store_option(),
        help="""Show what a bot wrote to standard error in a stored match.

        This is for the bot's author: no public page shows it. BOT is a name such as davey or
        davey@3.
        """,
    ),
    LazyCommand(
        "log",
        Option(["--find"], default="", metavar="TEXT", help="Only entries with this text."),
        Option(["--most"], type=click.IntRange(1), default=50, show_default=True),
        Option(["--before"], type=int, metavar="NUMBER", help="Only entries older than this one."),
        JSON,
        accounts_option(),
        help="Show the audit log, the newest entries first.",
    ),
    LazyCommand(
        "collusion",
        Argument(["tournament"], shell_complete=completion.tournaments),
        JSON,
        store_option(),
        help="""Look for bots that play softly against each other.

        At tables of three or more sides, each bot's decisions about one opponent are compared with
        those about the others in like positions. A finding is a reason to look at the games and no
        proof: docs/collusion.md.
        """,
    ),
    LazyCommand(
        "sheets",
        Argument(["tournament"], required=False, shell_complete=completion.tournaments),
        Option(["--season"], type=int, help="The number of a season.  [default: the latest]"),
        Option(
            ["--as", "form"],
            type=click.Choice(["csv", "json", "parquet"]),
            default="csv",
            show_default=True,
            help="The format of the files; Parquet needs the extra `report`.",
        ),
        Option(
            ["--only"],
            multiple=True,
            type=click.Choice(
                [
                    *("standings", "matches", "decisions", "marks", "moodle"),
                    *("versions", "submissions", "people", "log"),
                ]
            ),
            help="Only this sheet; can be given more than once.",
        ),
        Option(
            ["--counts"],
            type=click.Choice(["last", "best"]),
            default="last",
            show_default=True,
            help="The version that counts for marks: the last one that came before the deadline, or"
            " the best of those that did.",
        ),
        Option(
            ["--to"],
            type=click.Path(file_okay=False, path_type=Path),
            default=".",
            metavar="FOLDER",
            help="The folder for the files.  [default: here]",
        ),
        store_option(),
        help="""Write results to files for spreadsheets and other programs.

        Of a tournament's season: standings with their intervals, matches, every decision, and the
        marks, also as Moodle imports them. Without a tournament: the versions of all bots, all that
        was submitted, the people and the log. docs/sheets.md lists the columns.
        """,
    ),
    LazyCommand(
        "coursework",
        Argument(["file"], type=click.Path(dir_okay=False, path_type=Path)),
        Argument(
            ["tournaments"],
            nargs=-1,
            metavar="[TOURNAMENT]...",
            shell_complete=completion.tournaments,
        ),
        store_option(),
        help="""Write everything of a course to one zip.

        Marks, standings, matches, the programs, the people, the log, and each season's file for
        `arena verify`; README.txt in it says what is what. Without TOURNAMENT, of all of them. Only
        you can read the file.
        """,
    ),
    LazyCommand(
        "archive",
        Argument(["folder"], type=click.Path(file_okay=False, path_type=Path)),
        Option(
            ["--season-files"],
            is_flag=True,
            help="Also the files of seasons for `arena verify`: 1 to 60 kB more a match.",
        ),
        store_option(read_only=True),
        help="""Write the whole site as files that any server can serve.

        It has every page that a visitor without an account sees now, with the replays of all
        matches, and no forms. FOLDER is new, empty, or an archive, which is replaced when the new
        one is complete. The database is not changed.
        """,
    ),
    LazyCommand(
        "completion",
        Argument(["shell"], type=click.Choice(["bash", "zsh", "fish"])),
        help="""Print the script that completes `arena` in a shell.

        \b
        bash  echo 'eval "$(arena show completion bash)"' >> ~/.bashrc
        zsh   echo 'autoload -U compinit && compinit' >> ~/.zshrc  # if it isn't there yet
              echo 'eval "$(arena show completion zsh)"' >> ~/.zshrc
        fish  arena show completion fish > ~/.config/fish/completions/arena.fish
        """,
    ),
)

EXPERIMENT = (
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
)


GROUPS = (
    click.Group(
        "season",
        help="Change a season that is being played, and who sees it.",
        commands=(*commands_on("tournament"), *VISIBILITY),
    ),
    click.Group("bot", help="Change bots that were submitted.", commands=commands_on("bot")),
    click.Group("people", help="Accounts, teams, limits and messages.", commands=PEOPLE),
    click.Group("db", help="Back up, restore, copy or prune the database.", commands=DATABASE),
    click.Group("ledger", help="Show or sign all that happened.", commands=LEDGER),
    click.Group("cluster", help="Play on several machines.", commands=CLUSTER_COMMANDS),
    click.Group("image", help="Build and check the images of sandboxes.", commands=IMAGE),
    click.Group("show", help="Read bots, games, logs and sheets.", commands=SHOW),
    *EXPERIMENT,
)
"""Groups of commands, and one command that is seldom typed."""
