"""Operations: what people do to seasons, bots and tournaments, each declared once.

The command of the shell, the request of the API and the form follow from the declaration
(commands/operation_commands.py, accounts/web/api/waiting_operations.py,
accounts/web/fields.py); so does the
line in the audit log. `accounts.administration.carry_out` checks permission, values and quota. The
function that carries it out is registered by `carries_out`.

Nothing heavy is imported here: `arena --help` reads all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from card_arena.common.errors import UserError
from card_arena.common.text import LONGEST_REASON, LONGEST_TITLE

Values: TypeAlias = Mapping[str, Any]
"""The values of an operation's parameters by their names; a parameter may be missing."""

Kind: TypeAlias = Literal["text", "reason", "version", "count", "words", "sure"]
"""The type of a parameter: a line of text, a reason for the log, the number of a version, another
number, several words, or whether somebody is sure, which nobody is asked in a shell."""

LARGEST_NUMBER = 999_999_999
MOST_WORDS = 100


class BadOperation(UserError):
    """A value of an operation is wrong or missing; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that an operation takes.

    `help` is a sentence for programs and for the shell, `label` stands beside the field of a form,
    and `missing` is said where a required value is missing. A text has up to `most` characters, and
    a count is at most that.
    The shell takes a `positional` one as an argument, and others as options. One that
    `names_tournament` begins with the name of the tournament that the operation is about. If there
    are `choices`, it is one of them.
    """

    name: str
    help: str
    label: str
    kind: Kind = "text"
    missing: str = ""
    most: int = 2000
    positional: bool = False
    names_tournament: bool = False
    example: str = ""
    choices: tuple[str, ...] = ()

    def checked(self, value: Any) -> Any:
        """The value, of which an empty one is None; raises `BadOperation`."""
        if value is False or value in (None, "", (), []):
            if self.missing:
                raise BadOperation(self.missing)
            return None
        if self.kind == "text" and len(value) > self.most:
            raise BadOperation(f"{self.name} has up to {self.most} characters")
        if self.choices and value not in self.choices:
            raise BadOperation(
                f"{self.name} must be {' or '.join(self.choices)}; got {value[:20]!r}"
            )
        if self.kind == "version" and not 1 <= value <= LARGEST_NUMBER:
            raise BadOperation(f"{self.name} must be from 1 to {LARGEST_NUMBER}; got {value}")
        if self.kind == "count" and not 1 <= value <= self.most:
            raise BadOperation(f"{self.name} must be from 1 to {self.most}; got {value}")
        if self.kind == "words" and len(value) > MOST_WORDS:
            raise BadOperation(f"expected up to {MOST_WORDS} {self.name}; got {len(value)}")
        return value


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that people can have done to a `subject`, by its name in the audit log.

    `help` begins with a line for lists of commands; `button` is what the button of its form says.
    Operations `by` authors are for the bots of their teams; organisers may do all. The log's line
    is about the parameter `about` if it is given, else about the subject. Those on people, whose
    subject is an address, are carried out at once. All others are carried out by the program that
    plays, between two matches, since it alone writes results; one that
    `interrupts` waits until no match of the tournament is being played. In a shell it is done to
    `several` bots at once, to all or none. Authors may have it done `a_day` times in 24 hours, and
    it may need a `place` among the bots that their team may have. `check` looks at the values
    together and returns them as they are stored.
    """

    name: str
    subject: Literal["bot", "person", "tournament"]
    help: str
    button: str
    parameters: tuple[Parameter, ...] = ()
    by: Literal["author", "organiser"] = "organiser"
    about: str = ""
    interrupts: bool = False
    several: bool = False
    a_day: int | None = None
    place: bool = False
    check: Callable[[str, Values], Values] | None = None

    @property
    def about_bot(self) -> bool:
        """Whether its line in the log is about a bot, and is shown to the bot's author."""
        return "bot" in (self.subject, self.about)

    def checked(self, subject: str, values: Values) -> dict[str, Any]:
        """The values as they are stored, without empty ones; raises `BadOperation`."""
        known = {each.name: each.checked(values.get(each.name)) for each in self.parameters}
        known = {name: value for name, value in known.items() if value is not None}
        return {**(self.check(subject, known) if self.check else known)}


REASON = Parameter(
    "reason",
    "Why; it stays on the pages that it concerns.",
    "Reason",
    kind="reason",
    missing=f"a reason must have 1 to {LONGEST_REASON} characters that can be printed",
    most=LONGEST_REASON,
)
LOG_REASON = replace(REASON, help="Why; it stays in the log.", label="Reason, for the log")
BOT = Parameter(
    "bot",
    "The bot, or one of its versions as bot@2.",
    "Bot",
    missing="name the bot",
    most=80,
    positional=True,
)

TAGS = Parameter(
    "tags",
    "The tags to give or to remove.",
    "Tags, with blanks between them",
    kind="words",
    missing="name at least one tag",
    positional=True,
)


def _place(tournament: str, values: Values) -> Values:
    """What is annulled, as NAME/N for a season and as its key for a match."""
    place = str(values["place"])
    if place.isascii() and place.isdecimal():
        place = f"{tournament}/{place}"
    number = place.removeprefix(f"{tournament}/").partition("/")[0]
    if not place.startswith(f"{tournament}/") or not number.isdecimal() or len(number) > 9:
        raise BadOperation(
            f"expected a match of {tournament}, such as {tournament}/0003/t02/r1/a, or the number"
            f" of a season, such as {tournament}/3; got {place[:80]!r}"
        )
    return {**values, "place": place}


def _change(_: str, values: Values) -> Values:
    if "name" not in values and "author" not in values:
        raise BadOperation("say what changes: its name, its author or both")
    return values


OPERATIONS: dict[str, Operation] = {
    each.name: each
    for each in (
        Operation(
            "expel",
            "tournament",
            """Let bots leave the season that is being played, all or none.

            The matches of a bot so far stay and count, its open ones are not played, and the others
            go on. In the standings it comes last, with the reason beside it. The next season enters
            it again, unless you `arena bot withdraw` it.
            """,
            "Expel a bot from the season",
            (BOT, REASON),
            about="bot",
            interrupts=True,
            several=True,
        ),
        Operation(
            "admit",
            "tournament",
            """Let bots join the season that is being played, all or none.

            A league and a gauntlet let a bot play as much as the others, a Swiss tournament and a
            cut take it in from the next round or stage on. In other formats it can only enter the
            next season.
            """,
            "Admit a bot to the season",
            (BOT, REASON),
            about="bot",
            interrupts=True,
            several=True,
        ),
        Operation(
            "annul",
            "tournament",
            """Let a match or a whole season count for nothing.

            PLACE is a match's key, such as friday/0003/t01/r2/a, or a season such as friday/3. It
            stays where it is, with the reason, but counts for no standings, no sums and no ratings,
            which are calculated again. It is not played again.
            """,
            "Annul a match or a season",
            (
                Parameter(
                    "place",
                    "What to annul: a match's key, or the number of a season.",
                    "A match by its key or the address of its page, or a season by its number",
                    missing="name the match or the season",
                    most=400,
                    positional=True,
                    names_tournament=True,
                    example="friday/0003/t02/r1/a",
                ),
                REASON,
            ),
            about="place",
            interrupts=True,
            check=_place,
        ),
        Operation(
            "pause",
            "tournament",
            """Let nothing of a tournament begin until `arena season resume`.

            Matches under way are finished first. A pause outlives the program that plays.
            """,
            "Pause the tournament",
            (REASON,),
            interrupts=True,
        ),
        Operation(
            "resume",
            "tournament",
            "Let a paused tournament go on where it was.",
            "Resume the tournament",
        ),
        Operation(
            "withdraw",
            "bot",
            """Withdraw bots from all new seasons.

            This holds for all their versions; submitting a newer one does not bring a bot back.
            Their results stay, and a season that has begun continues with them. If one of several
            can't be withdrawn, none is.
            """,
            "Withdraw",
            by="author",
            several=True,
        ),
        Operation(
            "readmit",
            "bot",
            "Let withdrawn bots play again.",
            "Play again",
            by="author",
            several=True,
            place=True,
        ),
        Operation(
            "activate",
            "bot",
            """Choose the version of a bot that new seasons enter.

            Without @VERSION it is the newest one. The next version that is submitted plays again.
            If one of several can't be chosen, none is.
            """,
            "Let this version play",
            (Parameter("number", "The number of the version.", "Version", kind="version"),),
            by="author",
            several=True,
        ),
        Operation(
            "title",
            "bot",
            """Show a title beside a bot's name, which stays as it is.

            Without TITLE it is removed. A title that looks like the name or the title of another
            bot is refused.
            """,
            "Set the title",
            (
                Parameter(
                    "title",
                    "The title to be shown beside the name; empty for none.",
                    f"Title, up to {LONGEST_TITLE} characters; empty for none",
                    most=LONGEST_TITLE,
                    positional=True,
                ),
            ),
            by="author",
        ),
        Operation(
            "delete",
            "bot",
            """Delete versions, or whole bots, that were never in a season.

            What has played stays, since its results do: `arena bot withdraw` keeps it out of new
            seasons. If one of several can't be deleted, none is.
            """,
            "Delete",
            (
                Parameter(
                    "number",
                    "The number of the version; without one the whole bot is deleted.",
                    "Version",
                    kind="version",
                ),
                Parameter(
                    "sure",
                    "True: what is deleted does not come back.",
                    "I am sure",
                    kind="sure",
                    missing="say that you are sure: what is deleted does not come back",
                ),
            ),
            by="author",
            several=True,
        ),
        Operation(
            "challenge",
            "bot",
            """Play another bot a number of boards, unrated and at once.

            The bot's newest version plays, or BOT@VERSION, against the opponent's newest or
            OPPONENT@VERSION. It begins as soon as a core is free, also while seasons are played,
            and everybody can follow it. The answer has the address of its results.
            """,
            "Challenge",
            (
                Parameter(
                    "opponent",
                    "The other bot, or one of its versions as bot@2.",
                    "Opponent",
                    missing="name the opponent",
                    most=80,
                    positional=True,
                ),
                Parameter(
                    "number",
                    "The number of the version that plays; the newest without one.",
                    "Version of your bot (empty: the newest)",
                    kind="version",
                ),
                Parameter(
                    "boards",
                    "The number of boards; without one as many as are usual.",
                    "Boards (empty: as many as are usual)",
                    kind="count",
                    most=1000,
                ),
                Parameter(
                    "game",
                    "The game, if both bots play several.",
                    "Game, if both bots play several",
                    most=40,
                ),
            ),
            by="author",
        ),
        Operation(
            "review",
            "bot",
            """Have a match reviewed in which the bot played.

            The arena's own bot of the game says what each decision of the match cost, and why. The
            match's page shows it as it comes. A match is reviewed once, for all bots in it.
            """,
            "Review a match",
            (
                Parameter(
                    "match",
                    "The match's key.",
                    "Match, by its key or the address of its page",
                    missing="name the match",
                    most=400,
                    positional=True,
                    names_tournament=True,
                    example="friday/0003/t02/r1/a",
                ),
            ),
            by="author",
            a_day=50,
        ),
        Operation(
            "check",
            "bot",
            """Check a bot again that is on probation.

            If it passes, new seasons enter it. A new version of the bot needs no such check.
            """,
            "Check it again",
            by="author",
            a_day=5,
        ),
        Operation(
            "tag",
            "bot",
            """Tag a bot so that tournaments can select it.

            `entrants: {tags: [house]}` in a tournament file enters the bots with one of these tags.
            A tag holds for all versions of a bot. What an author writes under `tags:` in bot.yaml
            appears on the bot's page and enters it nowhere. `arena show bots` lists the tags.
            """,
            "Give tags to a bot",
            (TAGS,),
        ),
        Operation(
            "untag",
            "bot",
            "Remove tags from a bot.",
            "Take tags from a bot",
            (TAGS,),
        ),
        Operation(
            "move",
            "bot",
            """Give a bot another name, another author, or both.

            Its versions and results stay with it, and addresses of the old name lead to the new
            one.
            """,
            "Give a bot another name or author",
            (
                Parameter(
                    "name",
                    "The new name; empty to keep it.",
                    "New name (empty: unchanged)",
                    most=32,
                ),
                Parameter(
                    "author",
                    "The new author; empty to keep them.",
                    "New author (empty: unchanged)",
                    most=80,
                ),
                REASON,
            ),
            check=_change,
        ),
        Operation(
            "role",
            "person",
            "Make somebody an organiser, or an author again.",
            "Set the role",
            (
                Parameter(
                    "role",
                    "The new role; a token can only make somebody an author again.",
                    "Role",
                    missing="name the role: author or organiser",
                    positional=True,
                    choices=("author", "organiser"),
                ),
            ),
        ),
        Operation(
            "suspend",
            "person",
            """Suspend an account, and end its sessions, links and tokens for good.

            Invitations to teams that the person has sent end as well.
            """,
            "Suspend",
            (LOG_REASON,),
        ),
        Operation(
            "restore",
            "person",
            "Restore a suspended account; its owner needs a new link and new tokens.",
            "Restore",
            (LOG_REASON,),
        ),
        Operation(
            "sign-out",
            "person",
            "End somebody's sessions, links and tokens; they may sign in again.",
            "End sessions and tokens",
            (LOG_REASON,),
        ),
        Operation(
            "unlink",
            "person",
            """Unlink an account from all providers, and end its sessions, links and tokens.

            The next person who signs in at a provider with the account's address gets the account.
            """,
            "Unlink",
            (LOG_REASON,),
        ),
        Operation(
            "team",
            "person",
            "Move somebody to a team, out of all others; bots stay with their teams.",
            "Move",
            (
                Parameter(
                    "team",
                    "The name of the team, which is created if it is new.",
                    "Move to team",
                    missing="name the team",
                    most=80,
                    positional=True,
                ),
            ),
        ),
        Operation(
            "number",
            "person",
            """Set somebody's student number, which the files of marks have.

            Without NUMBER it is removed. `arena people invite` reads numbers from its list.
            """,
            "Set the number",
            (
                Parameter(
                    "number",
                    "The student number; empty to remove it.",
                    "Student number, as in the files of marks",
                    most=40,
                    positional=True,
                ),
            ),
        ),
    )
}
"""All operations, by the word that stands in the audit log."""


def about(subject: str) -> tuple[Operation, ...]:
    """The operations on a kind of subject."""
    return tuple(each for each in OPERATIONS.values() if each.subject == subject)


def named(name: str, subject: str) -> Operation:
    """The operation of this name on this kind of subject; raises `BadOperation`."""
    operation = OPERATIONS.get(name)
    if operation is None or operation.subject != subject:
        names = ", ".join(each.name for each in about(subject))
        raise BadOperation(
            f"unknown operation {name[:20]!r} on a {subject}: expected one of {names}"
        )
    return operation


Function = TypeVar("Function", bound=Callable[..., str])

CARRIED_OUT: dict[str, Callable[..., str]] = {}
"""The function that carries an operation out, by the operation's name.

It does it and returns a sentence about what was done; a `UserError` of its own declines it with its
message. It may be called again after the arena was killed, so doing it twice must be the same as
doing it once.
"""


def carries_out(name: str) -> Callable[[Function], Function]:
    """Register the function that carries out the operation of this name."""

    def registered(function: Function) -> Function:
        CARRIED_OUT[name] = function
        return function

    return registered
