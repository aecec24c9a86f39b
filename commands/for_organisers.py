"""The commands for organisers, as they are typed; commands/actions/ carries them out."""

from __future__ import annotations

from pathlib import Path

import click
from click import Argument, Option

from commands import completion
from commands.cli_options import (
    CLUSTER,
    JSON,
    LISTENER,
    PROXY,
    TOURNAMENT_FILES,
    Names,
    Quantity,
    seed_option,
    store_option,
)
from commands.command_line import LazyCommand
from commands.for_this_machine import DOCTOR


def _languages() -> list[str]:
    from sandbox.languages.registry import LANGUAGES  # only `arena image check` needs them

    return [*LANGUAGES]


image = click.Group("image", help="Build and check the images that sandboxes are made from.")
image.add_command(
    LazyCommand(
        "build",
        Option(
            ["--box", "kind"],
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

        With --box bubblewrap, build an image of this machine's programs, of which every box gets a
        copy of its own: bots then can't communicate through files that all boxes see. This needs
        root, and has to be repeated when programs are installed or updated.
        """,
    )
)
image.add_command(
    LazyCommand(
        "check",
        Argument(["languages"], nargs=-1, type=Names(_languages), metavar="[LANGUAGE]..."),
        group="image",
        help="""Build the starter bot of every language in the image, and ask it every game's
        questions.
        """,
    )
)

COMMANDS = (
    LazyCommand(
        "run",
        *TOURNAMENT_FILES,
        Option(
            ["--once"],
            metavar="NAME",
            shell_complete=completion.tournaments_in_files,
            help="Play this tournament now, then exit: the interrupted season if there is one,"
            " otherwise a new one.",
        ),
        Option(["--until-idle"], is_flag=True, help="Exit when nothing is due."),
        seed_option(
            "With --once: the season's secret seed, 64 hexadecimal digits; otherwise random."
        ),
        *CLUSTER,
        store_option(existing=False),
        help="Play what is due, and wait for what comes next.",
    ),
    LazyCommand(
        "up",
        *TOURNAMENT_FILES,
        *LISTENER,
        PROXY,
        *CLUSTER,
        Option(
            ["--link"],
            envvar="ARENA_LINK",
            help="A line that is printed below the address, such as one with the link of an"
            " invitation. Give it as ARENA_LINK, as others can see what is typed.",
        ),
        store_option(existing=False),
        help="Run the tournaments and serve the leaderboard until Ctrl-C.",
    ),
    LazyCommand(
        "serve",
        *LISTENER,
        PROXY,
        Option(
            ["--until-eof"],
            is_flag=True,
            help="Exit when standard input ends, and print nothing.",
        ),
        store_option(existing=False),
        help="Serve the leaderboard without playing anything.",
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
        Option(["--organiser"], is_flag=True, help="They may use the organiser's desk."),
        Option(
            ["--links"],
            type=click.Choice(["mail", "print", "both"]),
            help="Send the links, print them, or both.  [default: mail if `door:` names a server,"
            " otherwise print]",
        ),
        *LISTENER,
        store_option(existing=False),
        help="""Make accounts, and send or print a link for each.

        A link signs its person in once.

        FILE is a list of people as CSV, whose first line names the columns: name, email and, if
        wanted, team and number (the student's); `-` is standard input. Whoever has an account keeps
        it and gets a new link. Accounts are of use where `door:` in arena.yaml opens the door.
        """,
    ),
    LazyCommand(
        "tag",
        Argument(["bot"], shell_complete=completion.stored_bots),
        Argument(["tags"], nargs=-1),
        Option(["--remove"], is_flag=True, help="Remove these tags."),
        JSON,
        store_option(),
        module="bot",
        help="""Tag a bot so that tournaments can select it.

        Without TAGS, show its tags. `entrants: {tags: [house]}` in a tournament file enters the
        bots with one of these tags. A tag holds for all versions of a bot. What an author writes
        under `tags:` in bot.yaml appears on the bot's page and enters it nowhere.
        """,
    ),
    LazyCommand(
        "withdraw",
        Argument(["bots"], nargs=-1, required=True, shell_complete=completion.stored_bots),
        Option(["--undo"], is_flag=True, help="Let them play again."),
        store_option(),
        module="bot",
        help="""Withdraw bots from all new seasons.

        This holds for all their versions; submitting a newer one does not bring a bot back. Their
        results stay, and a season that has begun continues with them. If one of several can't be
        withdrawn, none is.
        """,
    ),
    LazyCommand(
        "activate",
        Argument(
            ["bots"],
            metavar="BOT[@VERSION]...",
            nargs=-1,
            required=True,
            shell_complete=completion.stored_bots,
        ),
        store_option(),
        module="bot",
        help="""Choose the version of a bot that new seasons enter.

        Without @VERSION it is the newest one. The next version that is submitted plays again. If
        one of several can't be chosen, none is.
        """,
    ),
    LazyCommand(
        "title",
        Argument(["bot"], shell_complete=completion.stored_bots),
        Argument(["words"], metavar="[TITLE]...", nargs=-1),
        store_option(),
        module="bot",
        help="""Show a title beside a bot's name, which stays as it is.

        Without TITLE it is removed. A title that looks like the name or the title of another bot is
        refused.
        """,
    ),
    LazyCommand(
        "delete",
        Argument(
            ["bots"],
            metavar="BOT[@VERSION]...",
            nargs=-1,
            required=True,
            shell_complete=completion.stored_bots,
        ),
        store_option(),
        module="bot",
        help="""Delete versions, or whole bots, that were never in a season.

        What has played stays, since its results do: `arena withdraw` keeps it out of new seasons.
        If one of several can't be deleted, none is.
        """,
    ),
    LazyCommand(
        "verify",
        Argument(
            ["what"],
            nargs=-1,
            metavar="[TOURNAMENT | FILE]...",
            shell_complete=completion.tournaments,
        ),
        Option(
            ["--head"],
            metavar="HASH",
            help="The head of the ledger as somebody has saved it; it must still be there.",
        ),
        Option(
            ["--from-scratch"],
            is_flag=True,
            help="Replay all matches, also those that were checked before an interruption.",
        ),
        store_option(on_demand=True),
        help="""Play everything again from the seeds, and check all results.

        Every pack is dealt from the season's seed, every match replayed from its record, and every
        score, point and rating worked out again and compared with what is stored, with the season's
        manifest and with the ledger. FILE is a season that `arena export` wrote; it needs no
        database.

        It uses all cores and can be interrupted at any moment: the same command goes on with what
        is left, once it has made sure that the matches checked before have not changed.
        """,
    ),
    LazyCommand(
        "export",
        Argument(["season"], metavar="NAME/N", shell_complete=completion.tournaments),
        Argument(["file"], required=False, type=click.Path(dir_okay=False, path_type=Path)),
        store_option(),
        help="""Write a season to one file that anybody can check.

        It has the manifest, the seed, the ledger and all records of season N, but no bots. While
        the season is played it has no seed. Without FILE, it is called like friday-0001.zip.
        """,
    ),
    LazyCommand(
        "backup",
        Argument(["file"], type=click.Path(dir_okay=False, path_type=Path)),
        store_option(),
        module="database",
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
        module="database",
        help="""Put a backup into an empty database.

        With --replace it need not be empty. A backup that was cut, damaged or changed is refused.
        Whatever interrupts the command, the database is then as it was.
        """,
    ),
    LazyCommand(
        "copy",
        Argument(["source"], metavar="FROM-URL"),
        Argument(["target"], metavar="TO-URL"),
        module="database",
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
        Option(["--dry-run"], is_flag=True, help="Only say what would be pruned."),
        store_option(on_demand=True),
        help="""Make the database and the cache smaller.

        Without options, say what takes how much room. Nothing that `arena verify` needs is ever
        removed: the same version of the rules tells the words of questions again, and builds are
        made again when their bots play.
        """,
    ),
    LazyCommand(
        "ledger",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Option(["--head"], is_flag=True, help="Print only the hash of its last entry."),
        Option(
            ["--sign"],
            type=click.Path(path_type=Path),
            metavar="KEY",
            help="Sign the head with an SSH key, and print the signature.",
        ),
        JSON,
        store_option(),
        help="""Show the ledger of a tournament, or sign its head.

        It tells all that happened, each entry with the hash of the one before. Whoever has saved
        the head can tell later whether anything was changed: `arena verify NAME --head HASH`.
        """,
    ),
    LazyCommand(
        "public",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Argument(["words"], nargs=-1, metavar="[VALUE | BOT NONCE]"),
        store_option(),
        help="""Type in the public value that a season waits for.

        `public_value:` in the tournament file says what it is. It goes into the key of the deals,
        and can't be changed. Where it is made of the authors' nonces, each is shown with its bot's
        name; without any, the command says which are missing.
        """,
    ),
    LazyCommand(
        "audit",
        Argument(["tournament"], shell_complete=completion.tournaments),
        JSON,
        store_option(),
        help="""Look for bots that play softly against each other.

        At tables of three or more sides, each bot's decisions about one opponent are compared with
        those about the others in like positions. A finding is a reason to look at the games and no
        proof: docs/collusion.md.
        """,
    ),
    DOCTOR,
    image,
)
