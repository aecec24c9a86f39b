"""Carries out operations: checks permission, values and quota, and writes the log.

Whether an operation can be done is found out when it is carried out, between two matches.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from card_arena.accounts.entries import AuditEntry, Person, Quota
from card_arena.accounts.operations import OPERATIONS, BadOperation, Operation, Values
from card_arena.accounts.ownership import demand_new
from card_arena.accounts.settings import ChallengeSettings
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.common.errors import UserError
from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.bots import bots_playing_for, versions_of_author
from card_arena.leaderboard.tournaments import tournament_names
from card_arena.results.errors import Unknown, checked_reason
from card_arena.results.store import Store

ABOUT_BOTS = frozenset(each.name for each in OPERATIONS.values() if each.about_bot)
"""The operations that are told to a bot's author."""

BOARDS = 20
"""The boards of a challenge that names no number."""

MOST_WAITING = 20
"""How many operations on one bot may wait."""


class TooManyOperations(UserError):
    """Too much was requested already; the message says how much."""


class WithdrawnByOrganiser(UserError):
    """An organiser has withdrawn a bot, and its author can't let it in again."""


class BotLimitReached(UserError):
    """A bot can't play again beside all the others that do; the message says how many may."""


class NotPermitted(UserError):
    """Somebody may not do this to a subject; the message says who may."""


@dataclass(frozen=True, slots=True)
class Arena:
    """What operations work on: the results, the accounts, and the usual limits of teams.

    Where `challenges` is None, authors may not begin any.
    """

    accounts: AccountStore
    store: Store
    usual: Quota
    challenges: ChallengeSettings | None


def carry_out(
    arena: Arena, operation: Operation, subject: str, values: Values, by: Person | None
) -> AuditEntry:
    """Carry out an operation on a person, or queue any other; return its line in the log.

    `by` is None for the arena's own shell, which may do what organisers may. Raises `BadAccount`,
    `BadOperation`, `BadReason`, `WithdrawnByOrganiser`, `BotLimitReached`, `NotPermitted`,
    `TooManyOperations` and `Unknown`.
    """
    organises = by is None or by.organises
    author = _author(arena.store, operation, subject)
    if not organises and (operation.by == "organiser" or not by or not by.belongs_to(author)):
        raise NotPermitted(f"only organisers may {operation.name} {subject}")
    details = operation.checked(subject, values)
    if operation.subject == "person":
        if operation.name == "team":
            demand_new(arena.accounts, arena.store, details["team"])
        return arena.accounts.change_person(
            operation.name, subject, by.id if by else None, **details
        )
    if "reason" in details:
        details["reason"] = checked_reason(details["reason"])
    about = str(details.pop(operation.about, subject))
    if operation.subject == "tournament":
        details["tournament"] = subject
    elif operation.by == "author":
        details["author"] = author
    a_day = operation.a_day
    if operation.name == "challenge":
        arena.store.version(details["opponent"])  # raises `UnknownBot`
        limits = ChallengeSettings() if organises else _allowed_challenges(arena)
        boards = details.setdefault("boards", min(BOARDS, limits.boards))
        if boards > limits.boards and not organises:
            raise BadOperation(f"boards must be from 1 to {limits.boards}; got {boards}")
        a_day = limits.a_day
    if operation.subject == "bot":
        _demand_few(arena, operation, subject, None if organises else a_day)
    if operation.place and by is not None and not organises:
        details["most"] = _demand_place(arena, by, subject, author)
    return arena.accounts.request_operation(by.id if by else None, operation.name, about, **details)


def operations_on_bot(
    accounts: AccountStore, store: Store, bot: str, most: int = 5
) -> Sequence[AuditEntry]:
    """Return the operations on a bot since its submission, the newest first."""
    return accounts.operations_on(bot, most, whats=ABOUT_BOTS, since=first_submitted(store, bot))


def first_submitted(store: Store, bot: str) -> datetime:
    """Return the time of a bot's first submission; raises `UnknownBot`."""
    return min(each.submitted for each in read_bot(store, bot).versions)


def _author(store: Store, operation: Operation, subject: str) -> str:
    """The author of the bot that an operation is on, or an empty string; raises `Unknown`."""
    if operation.subject == "bot":
        return store.version(subject).author
    if operation.subject == "tournament" and subject not in tournament_names(store):
        raise Unknown(f"no tournament is called {subject[:80]!r}")
    return ""


def _allowed_challenges(arena: Arena) -> ChallengeSettings:
    """The limits of authors' challenges; raises `NotPermitted` where they may not begin any."""
    if arena.challenges is None:
        raise NotPermitted(
            "only organisers may challenge here: `challenges:` below `accounts:` in arena.yaml lets"
            " authors do so"
        )
    return arena.challenges


def _demand_few(arena: Arena, operation: Operation, bot: str, a_day: int | None) -> None:
    """Raise `TooManyOperations` if too many operations on a bot wait, or were there today."""
    told = operations_on_bot(arena.accounts, arena.store, bot, MOST_WAITING)
    if sum(each.state == "waiting" for each in told) == MOST_WAITING:
        raise TooManyOperations(
            f"{MOST_WAITING} operations on {bot} wait: the arena has to do them"
        )
    if a_day is not None:
        since = datetime.now(UTC) - timedelta(days=1)
        if arena.accounts.requested(operation.name, bot, since) >= a_day:
            raise TooManyOperations(
                f"limit reached: {operation.name} {bot} ({a_day} times in 24 hours);"
                " upload a new version, or wait"
            )


def _demand_place(arena: Arena, who: Person, bot: str, author: str) -> int | None:
    """The most bots an author may have, None for any number.

    Raises `WithdrawnByOrganiser` and `BotLimitReached`. An author who withdrew one bot to upload
    another can't readmit the first.
    """
    accounts, store = arena.accounts, arena.store
    if accounts.is_kept_out({bot, *(move.name for move in store.moves(bot))}):
        raise WithdrawnByOrganiser(
            "an organiser has withdrawn this bot: ask them to let it play again"
        )
    team = next(team for team in who.teams if team.author == author)
    quota = accounts.quota(team.id, arena.usual)
    playing = bots_playing_for(store, author) - {bot}
    own = accounts.bots_beside(bot, versions_of_author(store, author)) & playing
    if reason := too_many_bots(playing, own, quota):
        raise BotLimitReached(f"{reason} Withdraw one first.")
    return quota.bots


def too_many_bots(of_team: Collection[str], of_uploader: Collection[str], quota: Quota) -> str:
    """Return the limit that keeps a team from having another active bot; empty if none does."""
    for who, bots, most in (
        ("your team", of_team, quota.bots),
        ("the uploader", of_uploader, quota.bots_a_person),
    ):
        if most is not None and len(bots) >= most:
            number = "1 active bot" if len(bots) == 1 else f"{len(bots)} active bots"
            return f"{who} already has {number} (limit {most}): {', '.join(sorted(bots))}."
    return ""
