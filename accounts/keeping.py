"""Backups and copies of a whole arena: its results, and its door where it has one.

The door is read before the results. What the runner settles in between is then in the results and
still waits in the door, so it is examined again, and the same files are the same version. The other
way round, the door would speak of versions that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from accounts.storage.door import TABLES, Door, file_beside
from accounts.storage.uploads import UploadRepository
from accounts.submission import Spool
from results import backup
from results.backup import Contents, NoBackup, Seal, Watch, read_seal
from results.database import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """What was backed up, restored or copied.

    `door` is None where there is none; `files` counts the uploads that wait and went along.
    """

    results: Contents
    door: Contents | None = None
    files: int = 0


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is whole: its file and seal, and those of its door if it has one."""

    path: Path
    seal: Seal
    door: Path | None = None
    door_seal: Seal | None = None

    @property
    def rows(self) -> int:
        return self.seal.rows + (self.door_seal.rows if self.door_seal else 0)


@dataclass(frozen=True, slots=True)
class _Moment:
    """The door as it was at one moment, with the files that waited then."""

    database: Database
    files: Sequence[Path]


def rows(results: Database) -> int:
    """Count the rows of an arena, its door's among them."""
    found = backup.contents(results).total
    if Door.is_there(results.address):
        with closing(Door(results.address)) as door:
            found += backup.contents(door.database).total
    return found


def back_up(results: Database, path: Path, watch: Watch = lambda _: None) -> Kept:
    """Write all that an arena holds to a file, and its door to another beside it.

    The door of `monday.db` is `monday.door.db`, and has the files of uploads that wait. Older
    backups of these names are replaced when the new ones are complete; any other file is refused
    with `NoBackup`. Raises `OSError` if a file can't be written.
    """
    beside, coming = file_beside(path), _coming(path)
    if not Door.is_there(results.address):
        found = backup.back_up(results, path, watch)
        for old in (beside, coming):
            if _is_backup(old):
                old.unlink()
        return Kept(found)
    for each in (path, beside, coming):
        if each.exists():
            read_seal(each)
    with backup.place_beside(path) as place, closing(Door(results.address)) as door:
        with _at_one_moment(door, place, str(beside)) as moment:
            people = backup.back_up(moment.database, coming, files=moment.files)
            files = len(moment.files)
        found = backup.back_up(
            results,
            path,
            lambda written: watch(people.total + written),
            beside=read_seal(coming).sha256,
        )
        # Until now the older pair was whole; from now on the new one is, see `_door_of`.
        coming.replace(beside)
    return Kept(found, people, files)


def check(path: Path) -> Backup:
    """Read all of a backup and of its door, and compare them with their seals.

    Raises `NoBackup`, also for a door that is missing or belongs to another backup.
    """
    seal = backup.check_seal(path)
    if not seal.beside:
        return Backup(path, seal)
    door = _door_of(path, seal)
    return Backup(path, seal, door, backup.check_seal(door))


def restore(
    found: Backup, results: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> Kept:
    """Write all that a backup holds to an arena; whatever interrupts it, nothing is changed.

    A door that the backup lacks stays as it is. Raises `NotEmpty` if there is something that is not
    to be replaced.
    """
    if found.door is None:
        return Kept(backup.restore(found.path, results, replace=replace, watch=watch))
    with (
        backup.opened(found.path) as source,
        backup.opened(found.door, TABLES) as people,
        closing(Door(results.address)) as door,
    ):
        files = 0
        for name, content in backup.files_in(found.door):
            Spool(door.paths.spool).put_back(name, content)
            files += 1
        pairs = [(people, door.database), (source, results)]
        of_door, of_results = backup.copy_together(pairs, replace=replace, watch=watch)
    return Kept(of_results, of_door, files)


def copy(source: Database, target: Database, watch: Watch = lambda _: None) -> Kept:
    """Copy an arena to one that is empty, as it was at one moment; raises `NotEmpty`."""
    if not Door.is_there(source.address):
        return Kept(backup.copy(source, target, watch=watch))
    with ExitStack() as ends:
        place = Path(ends.enter_context(TemporaryDirectory()))
        door = ends.enter_context(closing(Door(source.address)))
        other = ends.enter_context(closing(Door(target.address)))
        moment = ends.enter_context(_at_one_moment(door, place, door.database.title))
        for file in moment.files:
            Spool(other.paths.spool).put_back(file.name, file.read_bytes())
        pairs = [(moment.database, other.database), (source, target)]
        of_door, of_results = backup.copy_together(pairs, watch=watch)
    return Kept(of_results, of_door, len(moment.files))


@contextmanager
def _at_one_moment(door: Door, place: Path, title: str) -> Iterator[_Moment]:
    """Copy a door and the files that wait into a folder, though the runner takes some away.

    A file that was lost by hand is left out: the runner will say so to its author.
    """
    spool = Spool(door.paths.spool)
    folder = place / "spool"
    folder.mkdir()
    url = f"sqlite:///{place / 'door.db'}"
    with closing(Database(url, title=title, tables=TABLES)) as database:
        while True:
            there = {name for name in door.files() if spool.copy(name, folder)}
            backup.copy(door.database, database, replace=True)
            wanted = UploadRepository(database).files()
            there |= {name for name in wanted - there if spool.copy(name, folder)}
            settled = wanted - there - door.files()
            if not settled:  # else one came and was settled while the door was copied
                break
        yield _Moment(database, sorted(folder / name for name in wanted & there))


def _door_of(path: Path, seal: Seal) -> Path:
    """The file with the door of a backup.

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
    """Where the door of a new backup is until its results are in their place."""
    return file_beside(path.with_name(f"{path.stem}.new{path.suffix}"))


def _is_backup(path: Path) -> bool:
    try:
        read_seal(path)
    except NoBackup:
        return False
    return True
