"""Checks of an arena's settings for `arena doctor`: secrets, address, database, disks, backups.

Nothing is made or changed. Checks that don't apply to an arena have no findings.
"""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from card_arena.accounts.keeping import BESIDE
from card_arena.accounts.secrets import OpenSecret, read_key
from card_arena.accounts.storage.account_store import Paths
from card_arena.commands.account_settings import client_secrets, mail_server
from card_arena.commands.arena_file import arena_zone, file_in_use, settings_in_file
from card_arena.commands.arena_settings import ArenaSettings
from card_arena.common.errors import UserError
from card_arena.common.marked_yaml import BadYaml
from card_arena.common.moments import written
from card_arena.results.backup import NoBackup, read_seal
from card_arena.results.database import RESULTS, file_of, has_password, revision_of
from card_arena.results.sqlite_file import ROOM as RESERVE_ROOM
from card_arena.results.sqlite_file import SIZE, Reserve

ROOM = 2**30
"""Bytes that should be free on the disk of the database and uploads."""

UPLOADS = 64
"""The number of largest uploads for which there should be room as well."""

RECENT = timedelta(hours=26)
"""The greatest age of the newest backup: one is taken each night."""

_UNSYNCHRONISED = 5
"""The result of adjtimex(2) for a clock that is not synchronised."""


class Finding(NamedTuple):
    """The result of a check, in a sentence, and a fix if it failed.

    `check` has a second word where there may be several, such as `playing friday`.
    """

    check: str
    ok: bool
    found: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Deployment:
    """The settings of an arena, and the address of its database."""

    settings: ArenaSettings
    url: str

    @property
    def paths(self) -> Paths:
        return Paths(self.url)


def deployment(database: str | None) -> tuple[Deployment, list[Finding]]:
    """Check an arena; also return its settings.

    `database` is the address on the command line or in the environment. Without a settings file,
    only the database is checked.
    """
    findings = []
    settings = None
    try:
        settings = settings_in_file()
    except BadYaml as error:
        findings.append(Finding("settings", False, str(error), "fix the file: nothing can start"))
    arena = deployment_of(settings, database)
    if settings is not None:
        findings += [*_settings(arena), *_address(arena), *_secrets(arena), *_backup(arena)]
    findings += _databases(arena)
    if settings is not None:
        findings += [*_disk(arena), *_reserve(arena), *_clock()]
    return arena, findings


def deployment_of(settings: ArenaSettings | None, database: str | None) -> Deployment:
    url = database or (settings and settings.database) or "sqlite:///var/arena.db"
    return Deployment(settings or ArenaSettings(), url)


def unattended(arena: Deployment) -> list[Finding]:
    """Check for problems that occur on a server without any change."""
    return [*_databases(arena, expected=True), *_disk(arena), *_backup(arena)]


def _settings(arena: Deployment) -> Iterator[Finding]:
    file = file_in_use()
    mode = file.stat().st_mode
    if mode & 0o022:
        yield Finding(
            "settings",
            False,
            f"others on this machine can change {file}",
            f"chmod go-w {file}",
        )
    else:
        yield Finding("settings", True, f"{file} is valid")
    if has_password(arena.settings.database):
        yield Finding(
            "secrets",
            False,
            f"the password of the database is in {file}",
            "put it into ~/.pgpass (mode 600) of the arena's user, and leave it out of the address",
        )


def _address(arena: Deployment) -> Iterator[Finding]:
    settings = arena.settings
    local = is_loopback(settings.host or "127.0.0.1")
    public = settings.public or ""
    secure = public.startswith("https://")
    opened = settings.accounts is not None
    if opened and public and not secure:
        yield Finding(
            "public",
            False,
            f"people sign in at {public}, where everybody on the way can read passwords and tokens",
            "serve the pages through nginx with TLS, and set public: https://...",
        )
    elif opened and not public and not local:
        yield Finding(
            "public",
            False,
            f"accounts are open on {settings.host}, without TLS",
            "host: 127.0.0.1, with nginx and TLS before it, and public: https://...",
        )
    elif public:
        yield Finding("public", True, f"visitors reach the pages at {public}")
    if public and not settings.proxy:
        yield Finding(
            "proxy",
            False,
            "no proxy is named, so all visitors count as one for the limits of requests",
            "proxy: 127.0.0.1, if nginx runs on this machine",
        )
    elif settings.proxy:
        yield Finding(
            "proxy", True, f"only {settings.proxy} is trusted with the addresses of visitors"
        )
    if public and settings.proxy and not local and is_loopback(settings.proxy):
        yield Finding(
            "host",
            False,
            f"the pages are also served on {settings.host}, past the proxy on this machine",
            "host: 127.0.0.1",
        )


def _secrets(arena: Deployment) -> Iterator[Finding]:
    accounts = arena.settings.accounts
    if accounts is None:
        return
    try:
        exists = read_key(arena.paths.key) is not None
        client_secrets(arena.paths, accounts)
        mail_server(arena.paths, accounts)
    except OpenSecret as error:
        yield Finding("secrets", False, str(error), "see “Secrets” in docs/deploy.md")
        return
    made = "is private" if exists else "is made when the pages are first served"
    yield Finding("secrets", True, f"the key of sessions {made}, and no other secret is missing")


def _databases(arena: Deployment, *, expected: bool = False) -> Iterator[Finding]:
    """Check the databases that exist; that of the results may be `expected` to."""
    for tables in (RESULTS, *BESIDE):
        what = " ".join(filter(None, ("the", tables.schema, "database")))
        found, fix = f"{what} does not exist", "see “When something breaks” in docs/deploy.md"
        try:
            revision = revision_of(arena.url, tables)
        except UserError as error:
            yield Finding("database", False, str(error), fix)
            return
        if revision is None and (tables is not RESULTS or not expected):
            continue
        if revision == tables.head:
            found, fix = f"{what} is reached, and is at revision {revision}", ""
        elif revision is not None and revision > tables.head:
            found = f"{what} is at revision {revision}; this version knows it up to {tables.head}"
            fix = "install the version that wrote it, or a newer one"
        elif revision is not None:
            found = f"{what} is at revision {revision}, and this version has {tables.head}"
            fix = "restart the arena: the first program that opens the database updates it"
        yield Finding("database", revision == tables.head, found, fix)


def _disk(arena: Deployment) -> Iterator[Finding]:
    accounts = arena.settings.accounts
    needed = ROOM + (UPLOADS * accounts.size if accounts else 0)
    for folder, free in free_room(arena).items():
        sentence = f"{free / 2**30:,.1f} GiB are free"
        if free >= needed:
            yield Finding(f"disk {folder}", True, sentence)
        else:
            yield Finding(
                f"disk {folder}",
                False,
                f"{sentence}, less than {needed / 2**30:,.1f} GiB",
                "`arena db prune` lists the sizes and removes old data",
            )


def _reserve(arena: Deployment) -> Iterator[Finding]:
    file = file_of(arena.url)
    if file is None or not file.exists():
        return
    if Reserve(file).is_whole:
        yield Finding("reserve", True, f"{SIZE // 2**20} MiB are kept for `arena db prune`")
    else:
        yield Finding(
            "reserve",
            False,
            f"no {SIZE // 2**20} MiB are kept for `arena db prune` to work with on a full disk",
            f"start `arena run` or `arena serve` while {RESERVE_ROOM // 2**20} MiB are free",
        )


def free_room(arena: Deployment) -> Mapping[Path, int]:
    """The bytes that are free on each disk on which an arena writes, by a folder on it."""
    file = arena.paths.file
    folders = [arena.paths.spool.parent, *([] if file is None else [file.parent])]
    disks = {folder.stat().st_dev: folder.absolute() for folder in map(_existing, folders)}
    return {folder: shutil.disk_usage(folder).free for folder in disks.values()}


def _backup(arena: Deployment) -> Iterator[Finding]:
    if arena.settings.backups is None:
        return
    folder = Path(arena.settings.backups)
    fix = "systemctl status card-arena-backup, or: arena db backup FILE"
    times = []
    try:
        for file in folder.iterdir():
            with suppress(NoBackup):
                times.append(read_seal(file).taken)
    except OSError as error:
        yield Finding("backup", False, f"{folder} can't be read: {error.strerror}", fix)
        return
    if not times:
        yield Finding("backup", False, f"there is no backup in {folder}", fix)
        return
    newest = max(times)
    sentence = f"the newest backup in {folder} is of {written(newest, arena_zone())}"
    recent = datetime.now(UTC) - newest <= RECENT
    yield Finding("backup", recent, sentence, "" if recent else fix)


def _clock() -> Iterator[Finding]:
    """Check whether the clock is synchronised; deadlines, schedules and links depend on it."""
    state = clock_state()
    if state is not None:
        synchronised = state != _UNSYNCHRONISED
        sentence = "is synchronised" if synchronised else "is not synchronised by a time service"
        fix = "" if synchronised else "apt-get install systemd-timesyncd, or chrony"
        yield Finding("clock", synchronised, f"the clock {sentence}", fix)


def clock_state() -> int | None:
    """The result of adjtimex(2); None if the call fails."""
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))  # modes 0: only read
    except (AttributeError, OSError):
        return None
    return None if state < 0 else int(state)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host or address."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def _existing(path: Path) -> Path:
    """A folder, or the nearest existing one above it."""
    while not path.is_dir() and path != path.parent:
        path = path.parent
    return path
