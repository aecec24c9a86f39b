"""Backups and copies of a whole arena: its results, and the databases beside them that it has.

Tables name people and versions of bots, and accounts name versions, so they are read in this order,
and the results last. What the runner settles in between is then in the results and still waits in
accounts, so it is checked again, and the same files are the same version. The other way round,
accounts would speak of versions that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from card_arena.accounts.storage.account_store import TABLES as ACCOUNTS
from card_arena.accounts.storage.account_store import Paths
from card_arena.accounts.storage.uploads import UploadRepository
from card_arena.accounts.submission import Spool
from card_arena.exhibitions.store import TABLES as EXHIBITIONS
from card_arena.results import backup
from card_arena.results.backup import Contents, NoBackup, Seal, Watch, read_seal
from card_arena.results.database import Database, Tables, beside, file_beside, revision_of

BESIDE = (EXHIBITIONS, ACCOUNTS)
"""The tables that an arena may have beside its results, each before those that it names."""


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """What was backed up, restored or copied.

    `beside` has the contents of the databases beside the results, by the names of their schemas;
    `files` counts the uploads that wait and went along.
    """

    results: Contents
    beside: Mapping[str, Contents]
    files: int


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is whole: its file and seal, the files beside it by name, and its rows."""

    path: Path
    seal: Seal
    beside: Mapping[str, Path]
    rows: int


@contextmanager
def databases(results: Database) -> Iterator[Sequence[Database]]:
    """Open those databases beside the results that are there; the results are the last."""
    url = results.address
    with ExitStack() as ends:
        others = [
            ends.enter_context(_opened(url, tables))
            for tables in BESIDE
            if revision_of(url, tables) is not None
        ]
        yield [*others, results]


def rows(results: Database) -> int:
    """Count the rows of all databases of an arena."""
    with databases(results) as opened:
        return sum(backup.contents(database).total for database in opened)


def back_up(results: Database, path: Path, watch: Watch = lambda _: None) -> BackupSummary:
    """Write all that an arena holds to a file, and its other databases to files beside it.

    Accounts of `monday.db` are `monday.accounts.db`, with the files of uploads that wait, and
    tables are `monday.exhibitions.db`. Older backups of these names are replaced when the new ones
    are complete; any other file is refused with `NoBackup`. Raises `OSError` if a file can't be
    written.
    """
    contents: dict[str, Contents] = {}
    seals: dict[str, str] = {}
    waiting = 0
    with databases(results) as opened, backup.place_beside(path) as place:
        names = [database.tables.schema for database in opened[:-1]]
        for file in (path, *(file for name in names for file in _files(path, name))):
            if file.exists():
                read_seal(file)
        for database, name in zip(opened, names, strict=False):
            file, coming = _files(path, name)
            with _at_one_moment(database, results.address, place, str(file)) as (source, files):
                contents[name] = backup.back_up(source, coming, files=files)
            seals[name] = read_seal(coming).sha256
            waiting += len(files)
        before = sum(copied.total for copied in contents.values())
        found = backup.back_up(results, path, lambda written: watch(before + written), beside=seals)
    # Until now the older files were a whole; from now on the new ones are, see `_file_beside`.
    for tables in BESIDE:
        file, coming = _files(path, tables.schema)
        if tables.schema in names:
            coming.replace(file)
        else:
            for old in filter(_is_backup, (file, coming)):
                old.unlink()
    return BackupSummary(found, contents, waiting)


def check(path: Path) -> Backup:
    """Read all of a backup and of the files beside it, and compare them with their seals.

    Raises `NoBackup`, also for files beside it that are missing or belong to another backup.
    """
    seal = backup.check_seal(path)
    files = {name: _file_beside(path, name, digest) for name, digest in seal.beside.items()}
    rows = seal.rows + sum(backup.check_seal(file).rows for file in files.values())
    return Backup(path, seal, files, rows)


def restore(
    found: Backup, results: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> BackupSummary:
    """Write all that a backup holds to an arena; whatever interrupts it, nothing is changed.

    Databases that the backup lacks stay as they are. Raises `NotEmpty` if there is something that
    is not to be replaced.
    """
    with ExitStack() as ends:
        pairs, waiting = [], 0
        for tables in BESIDE:
            file = found.beside.get(tables.schema)
            if file is None:
                continue
            source = ends.enter_context(backup.opened(file, tables))
            pairs.append((source, ends.enter_context(_opened(results.address, tables))))
            for name, content in backup.files_in(file):
                _spool(results.address).put_back(name, content)
                waiting += 1
        pairs.append((ends.enter_context(backup.opened(found.path)), results))
        return _copied(pairs, waiting, replace=replace, watch=watch)


def copy(source: Database, target: Database, watch: Watch = lambda _: None) -> BackupSummary:
    """Copy an arena to one that is empty, as it was at one moment; raises `NotEmpty`."""
    with ExitStack() as ends:
        place = Path(ends.enter_context(TemporaryDirectory()))
        pairs, waiting = [], 0
        for database in ends.enter_context(databases(source))[:-1]:
            moment, files = ends.enter_context(
                _at_one_moment(database, source.address, place, database.title)
            )
            pairs.append((moment, ends.enter_context(_opened(target.address, database.tables))))
            for file in files:
                _spool(target.address).put_back(file.name, file.read_bytes())
            waiting += len(files)
        return _copied([*pairs, (source, target)], waiting, watch=watch)


def _copied(
    pairs: Sequence[tuple[Database, Database]],
    files: int,
    *,
    replace: bool = False,
    watch: Watch,
) -> BackupSummary:
    *others, results = backup.copy_together(pairs, replace=replace, watch=watch)
    names = (target.tables.schema for _, target in pairs)
    return BackupSummary(results, dict(zip(names, others, strict=False)), files)


def _opened(url: str, tables: Tables) -> closing[Database]:
    return closing(Database(beside(url, tables), tables=tables))


def _spool(url: str) -> Spool:
    return Spool(Paths(url).spool)


@contextmanager
def _at_one_moment(
    database: Database, url: str, place: Path, title: str
) -> Iterator[tuple[Database, Sequence[Path]]]:
    """A database as it was at one moment, with the files of uploads that waited then.

    Accounts are copied into a folder with these files, though the runner takes some away. A file
    that was lost by hand is left out: the runner will say so to its author.
    """
    if database.tables is not ACCOUNTS:
        yield database, ()
        return
    spool, uploads = _spool(url), UploadRepository(database)
    folder = place / "spool"
    folder.mkdir()
    copied = f"sqlite:///{place / 'accounts.db'}"
    with closing(Database(copied, title=title, tables=ACCOUNTS)) as moment:
        while True:
            there = {name for name in uploads.files() if spool.copy(name, folder)}
            backup.copy(database, moment, replace=True)
            wanted = UploadRepository(moment).files()
            there |= {name for name in wanted - there if spool.copy(name, folder)}
            settled = wanted - there - uploads.files()
            if not settled:  # else one came and was settled while accounts was copied
                break
        yield moment, sorted(folder / name for name in wanted & there)


def _files(path: Path, name: str) -> tuple[Path, Path]:
    """The file of another database beside a backup, and where it is until the results are there."""
    return file_beside(path, name), file_beside(
        path.with_name(f"{path.stem}.new{path.suffix}"), name
    )


def _file_beside(path: Path, name: str, digest: str) -> Path:
    """The file beside a backup whose rows have this SHA-256.

    A program that was killed while it replaced a backup may have left the file under the name that
    it has while it is coming.
    """
    file, coming = _files(path, name)
    for each in (file, coming):
        if _is_backup(each) and read_seal(each).sha256 == digest:
            return each
    if not file.exists():
        raise NoBackup(f"{path} belongs with {file}, which is not there: put it beside")
    raise NoBackup(f"{file} is not of the same backup as {path}, with which it was not taken")


def _is_backup(path: Path) -> bool:
    try:
        read_seal(path)
    except NoBackup:
        return False
    return True
