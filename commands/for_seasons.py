"""The commands for what an organiser may do to a season that is being played, as they are typed."""

from __future__ import annotations

from click import Argument, Option

from commands import completion
from commands.cli_options import store_option
from commands.command_line import LazyCommand


def _tournament() -> Argument:
    return Argument(["tournament"], shell_complete=completion.tournaments)


def _bot() -> Argument:
    return Argument(["bot"], shell_complete=completion.stored_bots)


def _bots() -> Argument:
    return Argument(["bots"], nargs=-1, required=True, shell_complete=completion.stored_bots)


def _reason() -> Option:
    return Option(
        ["--reason"],
        required=True,
        metavar="REASON",
        help="The reason, which stays on the pages that it concerns.",
    )


COMMANDS = (
    LazyCommand(
        "expel",
        _tournament(),
        _bots(),
        _reason(),
        store_option(),
        module="season",
        help="""Let bots leave the season that is being played, all or none.

        The matches of a bot so far stay and count, its open ones are not played, and the others go
        on. In the standings it comes last, with the reason beside it. The next season enters it
        again, unless you `arena withdraw` it.
        """,
    ),
    LazyCommand(
        "admit",
        _tournament(),
        _bots(),
        _reason(),
        store_option(),
        module="season",
        help="""Let bots join the season that is being played, all or none.

        A league and a gauntlet let a bot play as much as the others, a Swiss tournament and a cut
        take it in from the next round or stage on. In other formats it can only enter the next
        season.
        """,
    ),
    LazyCommand(
        "annul",
        Argument(["what"], metavar="MATCH|TOURNAMENT/SEASON"),
        _reason(),
        store_option(),
        module="season",
        help="""Let a match or a whole season count for nothing.

        It stays where it is, with the reason, but counts for no standings, no sums and no ratings,
        which are worked out anew. It is not played again.
        """,
    ),
    LazyCommand(
        "pause",
        _tournament(),
        _reason(),
        store_option(),
        module="season",
        help="""Let nothing of a tournament begin until `arena resume`.

        Matches under way are finished first. A pause outlives the program that plays.
        """,
    ),
    LazyCommand(
        "resume",
        _tournament(),
        store_option(),
        module="season",
        help="Let a paused tournament go on where it was.",
    ),
    LazyCommand(
        "move",
        _bot(),
        Option(["--name"], help="What it is called from now on."),
        Option(["--author"], help="Whose it is from now on."),
        _reason(),
        store_option(),
        module="bot",
        help="""Give a bot another name, another author, or both.

        Its versions and results stay with it, and addresses of the old name lead to the new one.
        """,
    ),
    LazyCommand(
        "examine",
        _bot(),
        store_option(),
        module="bot",
        help="""Examine a bot again that is on probation.

        If it passes, new seasons enter it. A new version of the bot needs no such examination.
        """,
    ),
)
