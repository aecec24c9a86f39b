"""A season as one file: manifest, seed, ledger, records and standings, in a zip of five members.

It is what `arena export` writes and `arena verify FILE` reads, and small programs by
others can read it too: docs/verifying.md describes it.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel, ValidationError

from card_arena.common.errors import UserError
from card_arena.common.json import canonical, first_error, read_json
from card_arena.results.proof.ledger import Entry
from card_arena.results.proof.manifest import FORMAT, BadManifest, Manifest
from card_arena.results.proof.shapes import Facts, ManifestShape, MatchShape, StandingsShape

FACTS, MANIFEST, LEDGER, MATCHES, STANDINGS = MEMBERS = (
    *("season.json", "manifest.json", "ledger.jsonl"),
    *("matches.jsonl", "standings.json"),
)
"""The members of the zip, in their order."""

AT_ONCE = 500
"""How many lines are compressed at a time."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""A time for every member, so that equal seasons give equal files."""


def write(
    target: IO[bytes],
    facts: Facts,
    manifest: Manifest,
    ledger: Iterable[Entry],
    matches: Iterable[str],
    standings: str,
) -> None:
    """Write a season; `matches` are the lines of its matches in the order of their keys.

    The same season gives the same bytes, as long as they are compressed by the same zlib.
    """
    with zipfile.ZipFile(target, "w") as archive:
        _put(archive, FACTS, [canonical(facts.model_dump())])
        _put(archive, MANIFEST, [manifest.text])
        _put(archive, LEDGER, (f"{entry.text}\n" for entry in ledger))
        _put(archive, MATCHES, (f"{line}\n" for line in matches))
        _put(archive, STANDINGS, [standings])


def file_name(tournament: str, season: int) -> str:
    return f"{tournament}-{season:04}.zip"


def _put(archive: zipfile.ZipFile, name: str, texts: Iterable[str]) -> None:
    member = zipfile.ZipInfo(name, _EPOCH)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    with archive.open(member, "w", force_zip64=True) as written, ThreadPoolExecutor(1) as thread:
        lines = iter(texts)
        last: Future[int] | None = None
        while part := "".join(islice(lines, AT_ONCE)):
            if last is not None:
                last.result()
            # zlib compresses in another thread while the next lines are read
            last = thread.submit(written.write, part.encode("ascii"))
        if last is not None:
            last.result()


# Reading a season's file, which may have been written by anybody.
#
# Its sizes are bounded, its members must have the right shapes, and nothing in it is believed.


LARGEST_TEXT = 512 * 1024 * 1024
"""The most bytes of a member that is one text, and of one line of the others."""

UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)
"""The errors that a damaged, encrypted or too new zip raises."""


class BadSeasonFile(UserError):
    """A file is not a season that this arena can read; the message says what was expected."""


class SeasonFile:
    """A season that was read from a file; raises `BadSeasonFile` wherever it can't be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as archive:
            names = archive.namelist()
        missing = [f"{name} is missing in it" for name in MEMBERS if name not in names]
        more = [f"it holds {name[:80]!r} too" for name in names if name not in MEMBERS]
        twice = [f"it holds {name} twice" for name in MEMBERS if names.count(name) > 1]
        if wrong := [*missing, *more, *twice]:
            raise BadSeasonFile(
                f"{path} is no season: {wrong[0]}; expected a file that `arena export` wrote"
            )

    @cached_property
    def facts(self) -> Facts:
        facts = Facts(**self._parsed(FACTS, self._text(FACTS), Facts))
        if facts.format != FORMAT:
            raise BadSeasonFile(
                f"{self.path} is written in format {facts.format} of seasons, this arena reads"
                f" format {FORMAT}"
            )
        return facts

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest, exactly as it was hashed."""
        manifest = Manifest(self._text(MANIFEST))
        try:
            _ = manifest.data, manifest.entrants
        except BadManifest as error:
            raise BadSeasonFile(f"{self.path}: {error}") from error
        self._parsed(MANIFEST, manifest.text, ManifestShape)
        for name in ("tournament", "season", "key"):
            if manifest.data[name] != getattr(self.facts, name):
                raise BadSeasonFile(
                    f"{self.path}: {FACTS} names another {name} than the manifest:"
                    f" {getattr(self.facts, name)!r} and {manifest.data[name]!r}"
                )
        return manifest

    def entries(self) -> Iterator[Entry]:
        """The tournament's ledger until the end of this season, or until now."""
        return (Entry(line) for line in self._lines(LEDGER))

    def count_matches(self) -> int:
        return sum(1 for _ in self._lines(MATCHES))

    @cached_property
    def standings_text(self) -> str:
        """The standings, exactly as they are hashed."""
        return self._text(STANDINGS)

    @cached_property
    def standings(self) -> Mapping[str, Any]:
        """The standings and the pictures beside them."""
        return self._parsed(STANDINGS, self.standings_text, StandingsShape)

    def matches(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every match, as the text that is hashed and as plain data, one at a time."""
        for line in self._lines(MATCHES):
            yield line, self._parsed(MATCHES, line, MatchShape)

    def _parsed(self, name: str, text: str, shape: type[BaseModel]) -> Mapping[str, Any]:
        try:
            data: Mapping[str, Any] = read_json(text)
            shape.model_validate(data)
        except ValidationError as error:
            raise self._unreadable(name, ValueError(first_error(error))) from error
        except ValueError as error:
            raise self._unreadable(name, error) from error
        return data

    def _text(self, name: str) -> str:
        with self._member(name) as member:
            return self._decoded(name, member.read(LARGEST_TEXT + 1))

    def _lines(self, name: str) -> Iterator[str]:
        with self._member(name) as member, io.BufferedReader(member) as lines:  # type: ignore[type-var]
            while line := lines.readline(LARGEST_TEXT + 1):
                yield self._decoded(name, line).removesuffix("\n")

    def _decoded(self, name: str, data: bytes) -> str:
        if len(data) > LARGEST_TEXT:
            raise self._unreadable(name, ValueError(f"it is longer than {LARGEST_TEXT} bytes"))
        try:
            return data.decode("ascii")
        except UnicodeDecodeError as error:
            raise self._unreadable(name, error) from error

    @contextmanager
    def _member(self, name: str) -> Iterator[IO[bytes]]:
        with self._opened() as archive:
            try:
                with archive.open(name) as member:
                    yield member
            except UNREADABLE as error:
                raise self._unreadable(name, error) from error
            except OSError as error:
                raise self._gone(error) from error

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        try:
            archive = zipfile.ZipFile(self.path)
        except UNREADABLE as error:
            raise BadSeasonFile(
                f"{self.path} is no season: expected a zip that `arena export` wrote"
            ) from error
        except OSError as error:
            raise self._gone(error) from error
        with archive:
            yield archive

    def _gone(self, error: OSError) -> BadSeasonFile:
        return BadSeasonFile(f"{self.path} can't be read: {error.strerror or error}")

    def _unreadable(self, name: str, error: Exception) -> BadSeasonFile:
        return BadSeasonFile(f"{self.path}: {name} can't be read: {error}")
