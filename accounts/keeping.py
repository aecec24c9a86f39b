"""Backups and copies of a whole arena: its results, and its accounts where it has one.

Accounts is read before the results. What the runner settles in between is then in the results and
still waits in accounts, so it is checked again, and the same files are the same version. The other
way round, accounts would speak of versions that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from accounts.storage.account_store import TABLES, AccountStore, file_beside
from accounts.storage.uploads import UploadRepository
from accounts.submission import Spool
from results import backup
from results.backup import Contents, NoBackup, Seal, Watch, read_seal
from results.database import Database


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """What was backed up, restored or copied.

    `accounts` is None where there is none; `files` counts the uploads that wait and went along.
    """

    results: Contents
    accounts: Contents | None = None
    files: int = 0


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is whole: its file and seal, and those of its accounts if it has one."""

    path: Path
    seal: Seal
    accounts: Path | None = None
    accounts_seal: Seal | None = None

    @property
    def rows(self) -> int:
        return self.seal.rows + (self.accounts_seal.rows if self.accounts_seal else 0)


@dataclass(frozen=True, slots=True)
class _Moment:
    """Accounts as it was at one moment, with the files that waited then."""

    database: Database
    files: Sequence[Path]


def rows(results: Database) -> int:
    """Count the rows of an arena, its accounts' among them."""
    found = backup.contents(results).total
    if AccountStore.is_there(results.address):
        with closing(AccountStore(results.address)) as accounts:
            found += backup.contents(accounts.database).total
    return found


def back_up(results: Database, path: Path, watch: Watch = lambda _: None) -> BackupSummary:
    """Write all that an arena holds to a file, and its accounts to another beside it.

    Accounts of `monday.db` is `monday.accounts.db`, and has the files of uploads that wait. Older
    backups of these names are replaced when the new ones are complete; any other file is refused
    with `NoBackup`. Raises `OSError` if a file can't be written.
    """
    beside, coming = file_beside(path), _coming(path)
    if not AccountStore.is_there(results.address):
        found = backup.back_up(results, path, watch)
        for old in (beside, coming):
            if _is_backup(old):
                old.unlink()
        return BackupSummary(found)
    for each in (path, beside, coming):
        if each.exists():
            read_seal(each)
    with backup.place_beside(path) as place, closing(AccountStore(results.address)) as accounts:
        with _at_one_moment(accounts, place, str(beside)) as moment:
            people = backup.back_up(moment.database, coming, files=moment.files)
            files = len(moment.files)
        found = backup.back_up(
            results,
            path,
            lambda written: watch(people.total + written),
            beside=read_seal(coming).sha256,
        )
        # Until now the older pair was whole; from now on the new one is, see `_accounts_of`.
        coming.replace(beside)
    return BackupSummary(found, people, files)


def check(path: Path) -> Backup:
    """Read all of a backup and of its accounts, and compare them with their seals.

    Raises `NoBackup`, also for accounts that is missing or belongs to another backup.
    """
    seal = backup.check_seal(path)
    if not seal.beside:
        return Backup(path, seal)
    accounts = _accounts_of(path, seal)
    return Backup(path, seal, accounts, backup.check_seal(accounts))


def restore(
    found: Backup, results: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> BackupSummary:
    """Write all that a backup holds to an arena; whatever interrupts it, nothing is changed.

    Accounts that the backup lacks stay as they are. Raises `NotEmpty` if there is something that is
    not to be replaced.
    """
    if found.accounts is None:
        return BackupSummary(backup.restore(found.path, results, replace=replace, watch=watch))
    with (
        backup.opened(found.path) as source,
        backup.opened(found.accounts, TABLES) as people,
        closing(AccountStore(results.address)) as accounts,
    ):
        files = 0
        for name, content in backup.files_in(found.accounts):
            Spool(accounts.paths.spool).put_back(name, content)
            files += 1
        pairs = [(people, accounts.database), (source, results)]
        of_accounts, of_results = backup.copy_together(pairs, replace=replace, watch=watch)
    return BackupSummary(of_results, of_accounts, files)


def copy(source: Database, target: Database, watch: Watch = lambda _: None) -> BackupSummary:
    """Copy an arena to one that is empty, as it was at one moment; raises `NotEmpty`."""
    if not AccountStore.is_there(source.address):
        return BackupSummary(backup.copy(source, target, watch=watch))
    with ExitStack() as ends:
        place = Path(ends.enter_context(TemporaryDirectory()))
        accounts = ends.enter_context(closing(AccountStore(source.address)))
        other = ends.enter_context(closing(AccountStore(target.address)))
        moment = ends.enter_context(_at_one_moment(accounts, place, accounts.database.title))
        for file in moment.files:
            Spool(other.paths.spool).put_back(file.name, file.read_bytes())
        pairs = [(moment.database, other.database), (source, target)]
        of_accounts, of_results = backup.copy_together(pairs, watch=watch)
    return BackupSummary(of_results, of_accounts, len(moment.files))


@contextmanager
def _at_one_moment(accounts: AccountStore, place: Path, title: str) -> Iterator[_Moment]:
    """Copy accounts and the files that wait into a folder, though the runner takes some away.

    A file that was lost by hand is left out: the runner will say so to its author.
    """
    spool = Spool(accounts.paths.spool)
    folder = place / "spool"
    folder.mkdir()
    url = f"sqlite:///{place / 'accounts.db'}"
    with closing(Database(url, title=title, tables=TABLES)) as database:
        while True:
            there = {name for name in accounts.files() if spool.copy(name, folder)}
            backup.copy(accounts.database, database, replace=True)
            wanted = UploadRepository(database).files()
            there |= {name for name in wanted - there if spool.copy(name, folder)}
            settled = wanted - there - accounts.files()
            if not settled:  # else one came and was settled while accounts was copied
                break
        yield _Moment(database, sorted(folder / name for name in wanted & there))


def _accounts_of(path: Path, seal: Seal) -> Path:
    """The file with accounts of a backup.

    A program that was killed while it replaced a backup may have left the file under the name that
    it has while it is coming.
    """
    beside = file_beside(path)
    for each in (beside, _coming(path)):
        if _is_backup(each) and read_seal(each).sha256 == seal.beside:
            return each
    if not beside.exists():
        raise NoBackup(f"{path} belongs with {beside}, which is not there: put it beside")
    raise NoBackup(f"{beside} is not of the same backup as {path}, with which it was not taken")


def _coming(path: Path) -> Path:
    """Where accounts of a new backup is until its results are in their place."""
    return file_beside(path.with_name(f"{path.stem}.new{path.suffix}"))


def _is_backup(path: Path) -> bool:
    try:
        read_seal(path)
    except NoBackup:
        return False
    return True
