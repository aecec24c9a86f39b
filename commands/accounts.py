"""Accounts, and what people upload and order, for the commands that serve and play."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from card_arena.accounts.administration import Arena, carry_out
from card_arena.accounts.mail import Mailroom
from card_arena.accounts.operations import Operation, Values
from card_arena.accounts.secrets import session_key
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Language, Spool
from card_arena.accounts.web.context import AccountsContext
from card_arena.accounts.web.setup import open_accounts
from card_arena.commands.account_settings import (
    account_settings,
    client_secrets,
    mail_server,
    usual_quota,
)
from card_arena.commands.printer import say
from card_arena.common.errors import UserError
from card_arena.leaderboard.web.requests import Allowing, nothing
from card_arena.results.errors import FOR_A_SITE
from card_arena.results.lease import AlreadyRunning, Lease
from card_arena.results.store import Store
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.tournament.intake import Intake
from card_arena.tournament.operations import OperationQueue
from card_arena.tournament.plans import dry_run_announced
from card_arena.tournament.submissions import HOUSE, read_known

LONG = 2
"""Seconds after which a command says that it waits for an operation."""

LOOK_EVERY = 0.5
"""Seconds between two looks at the state of an operation."""


class Declined(UserError):
    """An operation is declined."""


def setup(store: Store, site: str) -> Callable[[Flask], Allowing]:
    """The function that adds accounts to the site at this address; one that adds nothing without
    `accounts:` in arena.yaml.

    Raises `OpenSecret`.
    """
    settings = account_settings()
    if settings is None:
        return lambda _: nothing
    accounts = AccountStore(store.database.address, FOR_A_SITE)
    mail = mail_server(accounts.paths, settings)
    parts = urlsplit(site)
    context = AccountsContext(
        accounts,
        Spool(accounts.paths.spool),
        settings,
        languages(),
        f"{parts.scheme}://{parts.netloc}",
        client_secrets(accounts.paths, settings),
        Mailroom(mail) if mail else None,
        dry_run=lambda name, cores: dry_run_announced(store, name, cores, datetime.now(UTC)),
    )
    key = session_key(accounts.paths.key)
    return lambda app: open_accounts(app, context, key, secure=parts.scheme == "https")


@contextmanager
def intake(store: Store, say: Callable[[str], None]) -> Iterator[Intake | None]:
    """Accepts uploads; None without accounts."""
    settings = account_settings()
    if settings is None:
        yield None
        return
    with closing(AccountStore(store.database.address)) as accounts:
        yield Intake(store, accounts, Spool(accounts.paths.spool), say, usual=settings.quota)


@contextmanager
def operations(store: Store, say: Callable[[str], None]) -> Iterator[OperationQueue]:
    """Carries out operations while tournaments are played."""
    with closing(OperationQueue(store, say)) as queue:
        yield queue


def submit_and_wait(store: Store, operation: Operation, subject: str, values: Values) -> str:
    """Submit an operation from the arena's own shell; return its answer.

    The program that runs the tournaments carries it out. Without such a program, this one does, and
    all operations that wait before it. Raises `Declined`, the errors of `carry_out`, and a failure
    of the arena, after which the operation waits.
    """
    with closing(AccountStore(store.database.address)) as accounts:
        arena = Arena(accounts, store, usual_quota(), None)
        entry = carry_out(arena, operation, subject, values, None)
        if entry.state == "done":
            return entry.answer
        messages: list[str] = []
        looks = itertools.count()
        with operations(store, messages.append) as queue:
            while True:
                with suppress(AlreadyRunning), Lease(store.database, briefly=True):
                    queue.carry_out([])
                    if failure := queue.failure(entry.id):
                        raise failure
                current = accounts.audit_entry(entry.id)
                assert current is not None
                if current.state in ("declined", "done"):
                    break
                if next(looks) * LOOK_EVERY == LONG:
                    say("waiting until the open matches are finished", err=True)
                time.sleep(LOOK_EVERY)
    for line in messages:
        if not line.endswith(current.answer):  # an operation of somebody else
            say(line, err=True)
    if current.state == "declined":
        raise Declined(current.answer)
    return current.answer


def languages() -> list[Language]:
    """The languages of pasted programs: those with a starter."""
    items = []
    for name, language in LANGUAGES.items():
        folder: Path = HOUSE / "starters" / name
        if folder.is_dir():
            starter = read_known(folder)
            source = (folder / starter.main).read_text()
            about = starter.manifest
            items.append(
                Language(
                    name, language.title, starter.main, about.protocol, source, tuple(about.games)
                )
            )
    return sorted(items, key=lambda language: language.title.lower())
