"""Accounts of this arena as arena.yaml opens it, for the commands that serve and that play."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from accounts.administration import Arena, carry_out
from accounts.mail import Mailroom
from accounts.operations import Operation, Values
from accounts.secrets import session_key
from accounts.storage.account_store import AccountStore
from accounts.submission import Language, Spool
from accounts.web.opened import Opened
from accounts.web.opening import open_accounts
from commands.account_settings import account_settings, usual_quota
from commands.outside_servers import client_secrets, mail_server
from commands.printer import say
from common.errors import UserError
from leaderboard.web.requests import Allowing, nothing
from results.errors import FOR_A_SITE
from results.lease import AlreadyRunning, runner_lease
from results.store import Store
from sandbox.languages.registry import LANGUAGES
from tournament.intake import Intake
from tournament.operations import OperationQueue
from tournament.plans import dry_run_announced
from tournament.submissions import HOUSE, read_known

LONG = 2
"""After how many seconds of waiting for an operation it is said what is waited for."""

LOOK_EVERY = 0.5
"""After how many seconds it is asked again what became of an operation."""


class Declined(UserError):
    """An operation is not carried out; the message says why."""


def opening(store: Store, site: str) -> Callable[[Flask], Allowing]:
    """What opens accounts of a `site` that browsers reach there; nothing where it is shut.

    Raises `OpenSecret`.
    """
    settings = account_settings()
    if settings is None:
        return lambda _: nothing
    accounts = AccountStore(store.database.address, FOR_A_SITE)
    mail = mail_server(accounts.paths, settings)
    parts = urlsplit(site)
    there = Opened(
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
    return lambda app: open_accounts(app, there, key, secure=parts.scheme == "https")


@contextmanager
def intake(store: Store, say: Callable[[str], None]) -> Iterator[Intake | None]:
    """What takes in what comes through the site; None where it is shut."""
    settings = account_settings()
    if settings is None:
        yield None
        return
    accounts = AccountStore(store.database.address)
    try:
        yield Intake(store, accounts, Spool(accounts.paths.spool), say, usual=settings.quota)
    finally:
        accounts.close()


@contextmanager
def operations(store: Store, say: Callable[[str], None]) -> Iterator[OperationQueue]:
    """What carries out, while tournaments are run, what people order."""
    with closing(OperationQueue(store, say)) as found:
        yield found


def submit_and_wait(store: Store, operation: Operation, subject: str, values: Values) -> str:
    """Have an operation carried out for the arena's own shell; return the answer.

    If no program runs the tournaments it is done here, as is all that waits before it; else that
    program does it. Raises `Declined`, what `carry_out` raises, and the failure of the arena that
    keeps it from being done here: it waits then.
    """
    with closing(AccountStore(store.database.address)) as accounts:
        arena = Arena(accounts, store, usual_quota())
        order = carry_out(arena, operation, subject, values, None)
        heard: list[str] = []
        looks = itertools.count()
        with operations(store, heard.append) as here:
            while True:
                with suppress(AlreadyRunning), runner_lease(store.database):
                    here.carry_out([])
                    if failure := here.failure(order.id):
                        raise failure
                found = accounts.audit_entry(order.id)
                assert found is not None
                if found.state in ("declined", "done"):
                    break
                if next(looks) * LOOK_EVERY == LONG:
                    say("waiting for the matches that are being played", err=True)
                time.sleep(LOOK_EVERY)
    for line in heard:
        if not line.endswith(found.answer):  # what others had requested
            say(line, err=True)
    if found.state == "declined":
        raise Declined(found.answer)
    return found.answer


def languages() -> list[Language]:
    """The languages that a program can be pasted in: those that have a starter."""
    found = []
    for name, language in LANGUAGES.items():
        folder: Path = HOUSE / "starters" / name
        if folder.is_dir():
            starter = read_known(folder)
            source = (folder / starter.main).read_text()
            about = starter.manifest
            found.append(
                Language(
                    name, language.title, starter.main, about.protocol, source, tuple(about.games)
                )
            )
    return sorted(found, key=lambda each: each.title.lower())
