"""`arena db ...`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from card_arena.accounts.keeping import BackupSummary, back_up, check, databases, rows
from card_arena.accounts.keeping import copy as copied
from card_arena.accounts.keeping import restore as restored
from card_arena.accounts.storage.account_store import AccountStore, Paths
from card_arena.commands.account_settings import stored_accounts
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.cli_errors import Stop
from card_arena.commands.cli_options import StoreOnDemand
from card_arena.commands.console import Printer
from card_arena.commands.printer import say
from card_arena.commands.progress import Counter
from card_arena.common.moments import written
from card_arena.common.text import one_line
from card_arena.results.backup import NotEmpty, Watch, described
from card_arena.results.database import Database, file_of
from card_arena.results.errors import StoreError
from card_arena.results.lease import Lease
from card_arena.results.pruning import Prunable, Pruned
from card_arena.results.sqlite_file import Reserve
from card_arena.results.store import Store
from card_arena.sandbox.builds import make_room, usage
from card_arena.sandbox.cache_folder import builds_folder
from card_arena.sandbox.limits import KIB, MIB


def db_backup(file: Path, store: Store) -> None:
    """Write the database to a file, and those beside it to others, also while the arena plays."""
    database = store.database
    if database.url.database and file.exists() and file.samefile(database.url.database):
        raise Stop(f"{file} is the database itself. Name another file.")
    try:
        with copying(rows(database)) as watch:
            result = back_up(database, file, watch)
    except OSError as error:
        raise Stop(f"{file} can't be written: {error.strerror}") from error
    say(f"wrote {file}: {summary(result)}; `arena db restore {file}` puts it back")
    say(heads(result))


def db_restore(file: Path, replace: bool, store: Callable[[], Store]) -> None:
    """Put a backup into an empty database, or replace everything in it."""
    backup = check(file)
    database = store().database
    with Lease(database), copying(backup.rows) as watch:
        try:
            result = restored(backup, database, replace=replace, watch=watch)
        except NotEmpty as error:
            raise Stop(f"{error}. Use --replace to replace everything.") from error
    taken = backup.seal.taken
    say(f"restored {summary(result)} from {file}, taken at {written(taken, arena_zone())}")
    say(heads(result))
    if "accounts" in result.beside:
        key = Paths(database.address).key
        say(
            "links, tokens and sessions are as they were then, also those that have ended since;"
            f" {key} is in no backup: remove it to sign everybody out"
        )
    elif AccountStore.is_there(database.address):
        say("the backup has no accounts: people, teams and uploads here stay as they are")
    say("compare the heads with saved ones; `arena verify` checks everything")


def db_copy(source: str, target: str) -> None:
    path = _file(source)
    if path is not None and not path.exists():
        raise Stop(f"Database {path} not found. Check the first address.")
    if source == target or _same(path, _file(target)):
        raise Stop("Both addresses name the same database. Name an empty one as the second.")
    with closing(Store(source)) as origin, closing(Store(target)) as other:
        with Lease(other.database), copying(rows(origin.database)) as watch:
            try:
                result = copied(origin.database, other.database, watch=watch)
            except NotEmpty as error:
                raise Stop(f"{error}. Name an empty database as the second.") from error
        say(f"copied {summary(result)} to {other.database.title}")
        say(heads(result))
        say("set ARENA_DATABASE to use the new database from now on")


def _file(url: str) -> Path | None:
    """The file of a SQLite database; None for other addresses."""
    path = url.removeprefix("sqlite:///")
    return None if path == url else Path(path)


def _same(one: Path | None, other: Path | None) -> bool:
    return one is not None and other is not None and one.resolve() == other.resolve()


@dataclass(frozen=True, slots=True)
class _Thing:
    """Data that can be pruned when it is older than `age`, or stays with None.

    `loss` describes the effect of pruning.
    """

    what: str
    age: float | None
    loss: str
    found: Callable[[datetime], Prunable]
    prune: Callable[[datetime], Pruned]


def db_prune(
    words: float | None,
    stderr: float | None,
    logs: float | None,
    cache: int | None,
    dry_run: bool,
    store: StoreOnDemand,
) -> None:
    """Remove old data, or list the sizes; on a full disk this uses the reserve."""
    ages = _Ages(words, stderr, logs)
    if dry_run or (cache is None and not any(age is not None for age in ages)):
        _prune_store(store(), ages, cache, dry_run)
        return
    with Reserve(file_of(store.url)).given_up():
        _prune_store(store(), ages, cache, dry_run)


def _prune_store(store: Store, ages: _Ages, cache: int | None, dry_run: bool) -> None:
    with stored_accounts(store) as accounts, databases(store.database) as opened:
        uploads = [] if accounts is None else [_logs_of_uploads(accounts, ages.logs)]
        _prune([*_things(store, ages), *uploads], cache, dry_run, opened)


class _Ages(NamedTuple):
    """The ages in seconds from which data is pruned."""

    words: float | None
    stderr: float | None
    logs: float | None


def _prune(
    things: Sequence[_Thing], cache: int | None, dry_run: bool, databases: Sequence[Database]
) -> None:
    now = datetime.now(UTC)
    overview = cache is None and all(thing.age is None for thing in things)
    freed = 0
    # the cache first: removing builds needs no room on a full disk
    for line in _of_cache(cache, dry_run=dry_run or cache is None, shown=overview):
        say(line)
    for thing in things:
        if thing.age is None and not overview:
            continue
        before = now - timedelta(seconds=thing.age or 0)
        prunable = thing.found(before)
        if overview or dry_run:
            say(f"{thing.what.format(prunable.pieces)}: {sized(prunable.size)}")
            say(f"  {thing.loss}")
            continue
        done = thing.prune(before)
        freed += done.freed
        say(f"pruned {thing.what.format(done.pieces)}: {sized(done.freed)} less")
        say(f"  {thing.loss}")
        if done.left:
            say(
                f"  {done.left:,} more were left as they are: they were played by other versions of"
                " the rules, which are needed for their words, or can't be read"
            )
    if overview:
        say("nothing was pruned: name an age, such as --words 90d, and try it with --dry-run")
    elif dry_run:
        say("nothing was pruned: this was a trial")
    elif freed:
        _shrink(databases)


def _things(store: Store, ages: _Ages) -> tuple[_Thing, ...]:
    def prune_words(before: datetime) -> Pruned:
        with Counter(Printer(), "records", store.prunable_words(before).pieces) as counter:
            return store.prune_words(before, counter.count)

    return (
        _Thing(
            "the questions' words in {:,} records",
            ages.words,
            "pages, exports and `arena verify` have them as before, as long as the game's rules"
            " keep their version; afterwards these records can't be read",
            store.prunable_words,
            prune_words,
        ),
        _Thing(
            "the standard error of bots at {:,} seats",
            ages.stderr,
            "their authors can't read it any more; nothing else needs it",
            store.prunable_stderr,
            store.prune_stderr,
        ),
        _Thing(
            "the logs of {:,} builds",
            ages.logs,
            "their authors can't read them before the next build; nothing else needs them",
            store.prunable_logs,
            store.prune_logs,
        ),
    )


def _logs_of_uploads(accounts: AccountStore, age: float | None) -> _Thing:
    return _Thing(
        "the logs of {:,} uploads",
        age,
        "their authors can't read them any more; the results of the uploads stay",
        accounts.prunable_upload_logs,
        accounts.prune_upload_logs,
    )


def _of_cache(most: int | None, *, dry_run: bool, shown: bool) -> Iterator[str]:
    """Limit the size of the builds, or list it."""
    if most is None and not shown:
        return
    folder = builds_folder()
    count, size = usage(folder)
    if dry_run or most is None:
        over = "" if most is None else f", {sized(max(0, size - most))} too much"
        yield f"{count:,} builds in {folder}: {sized(size)}{over}"
    else:
        if folder.is_dir():
            make_room(folder, most)
        left, smaller = usage(folder)
        gone = f"{count - left:,} of {count:,} builds in {folder}"
        yield f"pruned {gone}: {sized(size - smaller)} less"
    yield "  a build is made again when its bot plays"


def _shrink(databases: Sequence[Database]) -> None:
    try:
        for database in databases:
            database.shrink()
    except StoreError as error:
        say(f"the file keeps some free room and reuses it: {error}")


def sized(size: int) -> str:
    """Write bytes for people: 640 B, 12.5 KiB, 3.4 MiB, 1.2 GiB."""
    for unit, name in ((1024 * MIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size} B"


@contextmanager
def copying(rows: int) -> Iterator[Watch]:
    with Counter(Printer(), "rows", rows) as counter:
        yield counter.count


def summary(backup: BackupSummary) -> str:
    """Say what was written: "3 bots, 1 tournament ... and on the site 2 people, 1 team"."""
    text = described(backup.results)
    if not backup.beside:
        return text
    waiting = f" with {backup.files:,} files that wait" if backup.files else ""
    return f"{text}, and on the site {', '.join(map(described, backup.beside.values()))}{waiting}"


def heads(backup: BackupSummary) -> str:
    return "\n".join(
        one_line(f"  {head.tournament}: {head.entries} entries of its ledger, head {head.sha256}")
        for head in backup.results.heads
    )
