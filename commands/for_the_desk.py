"""What organisers do at the desk, as it is typed; commands/actions/ carries it out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from click import Argument, Context, Option, Parameter

from commands import completion
from commands.arena_file import arena_zone
from commands.cli_options import FOLDER, JSON, LISTENER, Quantity, store_option
from commands.command_line import LazyCommand
from common.moments import read


class Moment(click.ParamType):  # type: ignore[type-arg]  # click makes it generic
    """A moment such as 2026-11-27T20:00, in the arena's zone unless it has an offset, or `now`."""

    name = "moment"

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> datetime:
        try:
            return datetime.now(UTC) if value == "now" else read(value, arena_zone())
        except ValueError as error:
            self.fail(f"{str(value)[:40]!r} {error}", param, ctx)


def _reason(**settings: Any) -> Option:
    return Option(
        ["--reason"],
        metavar="REASON",
        help="Why, for the log.",
        **settings,
    )


EMAIL = Argument(["email"])

people = click.Group("people", help="Who has an account, in which team and which role.")
for command in (
    LazyCommand(
        "list", JSON, store_option(), group="people", help="List everybody with an account."
    ),
    LazyCommand(
        "link",
        EMAIL,
        *LISTENER,
        store_option(),
        group="people",
        help="Print a new link that signs somebody in once; older ones end.",
    ),
    LazyCommand(
        "role",
        EMAIL,
        Argument(["role"], type=click.Choice(["author", "organiser"])),
        store_option(),
        group="people",
        help="Make somebody an organiser, or an author again.",
    ),
    LazyCommand(
        "shut-out",
        EMAIL,
        _reason(required=True),
        store_option(),
        group="people",
        help="Shut somebody out, and end their sessions, links and tokens for good.",
    ),
    LazyCommand(
        "sign-out",
        EMAIL,
        _reason(required=True),
        store_option(),
        group="people",
        help="End somebody's sessions, links and tokens; they may sign in again.",
    ),
    LazyCommand(
        "unlink",
        EMAIL,
        _reason(required=True),
        store_option(),
        group="people",
        help="Forget whom providers know somebody as: the next one with the address is them.",
    ),
    LazyCommand(
        "let-in",
        EMAIL,
        _reason(required=True),
        store_option(),
        group="people",
        help="Let somebody in again who was shut out.",
    ),
    LazyCommand(
        "move",
        EMAIL,
        Argument(["team"]),
        store_option(),
        group="people",
        help="Move somebody to a team, out of all others; their bots stay where they are.",
    ),
    LazyCommand(
        "number",
        EMAIL,
        Argument(["number"], required=False, default=""),
        store_option(),
        group="people",
        help="""Set somebody's student number, which the files of marks have.

        Without NUMBER it is taken away. `arena invite` reads numbers from its list.
        """,
    ),
    LazyCommand(
        "excuse",
        EMAIL,
        _reason(default=""),
        Option(["--deadline"], type=Moment(), help="A later deadline for this person alone."),
        Option(["--as-usual"], is_flag=True, help="Take an excuse back."),
        store_option(),
        group="people",
        help="""Excuse somebody, with a later deadline if wanted.

        The reason stands in the log and beside the mark. `arena limits --team` sets a later
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
        help="Give a team the bots that somebody of its name is the author of.",
    ),
):
    people.add_command(command)

COMMANDS = (
    people,
    LazyCommand(
        "limits",
        Option(["--team"], help="Of this team alone.  [default: everybody]"),
        Option(["--a-day"], type=int, help="Uploads in 24 hours."),
        Option(["--size"], type=Quantity("size", "read_size"), help="The largest upload."),
        Option(["--bots"], type=int, help="Bots that a team may have."),
        Option(["--bots-a-person"], type=int, help="Bots that each person may have."),
        Option(["--deadline"], type=Moment(), help="Until when uploads are taken."),
        Option(
            ["--grace"],
            type=Quantity("age", "read_age"),
            help="How long after the deadline uploads are still taken, marked late; such as 12h.",
        ),
        _reason(default=""),
        Option(["--as-usual"], is_flag=True, help="Take back what was set here."),
        JSON,
        store_option(),
        help="""Set or show what may be handed in, over what arena.yaml says.

        What is set replaces all that was set before for everybody, or for this team.
        """,
    ),
    LazyCommand(
        "message",
        Argument(["text"], required=False),
        Option(["--team"], help="For this team alone.  [default: everybody]"),
        Option(["--until"], type=Moment(), help="When it ends by itself."),
        Option(["--end"], type=int, metavar="NUMBER", help="Show this message no longer."),
        JSON,
        store_option(),
        help="Show a message on people's pages, or list them all.",
    ),
    LazyCommand(
        "visibility",
        Argument(["tournament"], shell_complete=completion.tournaments),
        Option(
            ["--names"],
            type=click.Choice(["all", "own"]),
            help="Whose names others see: all, or each team its own alone.",
        ),
        Option(["--top"], type=int, help="Others see the names of so many first places."),
        Option(
            ["--freeze"],
            type=Moment(),
            help="Hide new results from this moment on, such as now or 2026-11-27T20:00.",
        ),
        Option(["--open", "thaw"], is_flag=True, help="Show what is frozen."),
        JSON,
        store_option(),
        help="""Set or show who sees a tournament's results on the pages.

        Organisers see everything, and teams their own matches. A freeze never hides what the season
        can be checked by: the hashes of its seed and its manifest, and the head of the ledger.
        """,
    ),
    LazyCommand(
        "log",
        Option(["--find"], default="", metavar="TEXT", help="Only acts with this text."),
        Option(["--most"], type=click.IntRange(1), default=50, show_default=True),
        Option(["--before"], type=int, metavar="NUMBER", help="Only acts older than this one."),
        JSON,
        store_option(),
        help="Show what people did: who, when and what, the newest first.",
    ),
    LazyCommand(
        "plan",
        Argument(["name"], metavar="NAME|FILE", shell_complete=completion.tournaments_in_files),
        FOLDER,
        Option(["--cores"], type=click.IntRange(1), help="Number of cores.  [default: all]"),
        Option(
            ["--bots"],
            metavar="N|FOLDER",
            help="With FILE: as if N bots were entered, or the bots in this folder."
            "  [default: those that the file names, or else 8]",
        ),
        JSON,
        store_option(on_demand=True),
        help="""Say what the next season of a tournament would be.

        Who would play, who sits out and why, how many matches, how long they take by what was
        measured, and when it is due. Nothing is built, played or stored.

        FILE is a tournament's file, such as friday.yaml: every mistake in it is reported, and no
        database is needed. The exit code is 2 if there is one, or if no season can begin.
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
            help="What files they are; Parquet needs the extra `report`.",
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
            help="Where they are written.  [default: here]",
        ),
        store_option(),
        help="""Write results to files for spreadsheets and other programs.

        Of a tournament's season: standings with their intervals, matches, every decision, and the
        marks, also as Moodle imports them. Without a tournament: the versions of all bots, all that
        was submitted, the people and the log. docs/sheets.md lists the columns.
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
)
