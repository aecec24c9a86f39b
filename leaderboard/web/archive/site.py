"""The whole site as files: every page that a visitor without an account sees."""

from __future__ import annotations

import multiprocessing
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from flask import Flask, render_template

from card_arena.common import moments
from card_arena.common.errors import ArenaFailure
from card_arena.common.processes import end_with_parent, uninterrupted
from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.web import assets
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.archive.files import (
    MATCH,
    SEASON_FILE,
    Addresses,
    Target,
    as_file,
    targets,
)
from card_arena.leaderboard.web.archive.packing import (
    SHARED,
    Lines,
    main_of,
    packed,
    shared,
    usual_lines,
)
from card_arena.leaderboard.web.archive.replay_data import Patterns, match_data, usual_patterns
from card_arena.leaderboard.web.pages.matches import overview, review_of
from card_arena.leaderboard.web.pages.site import Readers, Site
from card_arena.leaderboard.web.pages.site import site as site_here
from card_arena.results.visibility import OPEN, VisibilityPolicy

ROWS = 100
"""How many bots or matches one page of a long list shows."""

SAMPLE = 6
"""From how many matches of each game the usual patterns of its turns are learned."""

FEW = 40
"""The most matches that are written without other processes."""

AT_ONCE = 4
"""Matches in one task of another process."""

START = ("/", "/bots", "/how", "/all-games", "/protocol", "/rules")
"""The pages from which all others are found by links."""

Watch = Callable[[str, int, int], None]
"""Called with the kind of files, the number written, and the total."""


@dataclass(frozen=True, slots=True)
class Source:
    """The site to archive: its store, the visibility policy of visitors, and the time zone."""

    url: str
    policy: VisibilityPolicy = OPEN
    zone: str = "UTC"
    season_files: bool = False
    made: datetime = field(default_factory=lambda: datetime.now(UTC))

    def open(self) -> Flask:
        """Open the site as a visitor sees it, read-only."""
        app = create_app(self.url, zone=self.zone, read_only=True, rows=ROWS)
        site: Site = app.extensions["arena"]
        site.readers = _Visitor(self.policy)
        app.jinja_env.globals.update(
            archived=moments.written(self.made, self.zone),
            season_files=self.season_files,
            shows_logs=False,  # where people have accounts, they are for authors only
        )
        return app


class _Visitor(Readers):
    """A reader without an account, at one moment."""

    def __init__(self, policy: VisibilityPolicy) -> None:
        self._policy = policy

    def policy(self) -> VisibilityPolicy:
        return self._policy


@dataclass(frozen=True, slots=True)
class Written:
    """The numbers of pages, matches and season files of an archive, and their bytes."""

    pages: int
    matches: int
    seasons: int
    bytes: int
    season_bytes: int


def write_site(source: Source, folder: Path, watch: Watch) -> Written:
    """Write all pages of a site into an empty folder; raises `StoreError`."""
    app = source.open()
    try:
        return _Archive(source, app, folder, watch).write()
    finally:
        app.extensions["arena"].store.close()


class _Archive:
    """An archive that is being written."""

    def __init__(self, source: Source, app: Flask, folder: Path, watch: Watch) -> None:
        self._source = source
        self._app = app
        self._folder = folder
        self._watch = watch
        self._addresses = Addresses(app)
        self._pages: dict[Target, bytes] = {}
        self._matches: dict[Target, None] = {}
        self._seasons: dict[Target, None] = {}

    def write(self) -> Written:
        self._crawl()
        files = frozenset(target.file for target in (*self._pages, *self._matches, *self._seasons))
        self._write_pages(files)
        with self._app.test_request_context():
            learned = self._learned(files)
            self._write_assets(*learned)
        self._write_matches(files, *learned)
        self._write_season_files()
        sizes = {path: path.stat().st_size for path in self._folder.rglob("*") if path.is_file()}
        proofs = sum(sizes[self._folder / target.file] for target in self._seasons)
        return Written(
            len(self._pages),
            len(self._matches),
            len(self._seasons),
            sum(sizes.values()) - proofs,
            proofs,
        )

    def _crawl(self) -> None:
        """Read all pages but those of matches, by following links."""
        client = self._app.test_client()
        waiting = [target for url in START if (target := self._addresses.target(url))]
        seen = {*waiting}
        while waiting:
            target = waiting.pop()
            answer = client.get(target.url)
            if answer.status_code != 200:
                continue
            self._pages[target] = zlib.compress(answer.data, 1)
            self._watch("pages", len(self._pages), len(self._pages) + len(waiting))
            if answer.mimetype != "text/html":
                continue
            for linked in targets(answer.text, self._addresses):
                if linked in seen:
                    continue
                seen.add(linked)
                if linked.endpoint == MATCH:
                    self._matches[linked] = None
                elif linked.endpoint == SEASON_FILE:
                    self._seasons[linked] = None
                else:
                    waiting.append(linked)

    def _write_pages(self, files: frozenset[str]) -> None:
        for target, data in self._pages.items():
            text = zlib.decompress(data).decode()
            if target.file.endswith(".html"):
                text = as_file(text, target, self._addresses, lambda to: to.file in files)
                if target.is_packed:
                    text = packed(text, target, {}, {})
            _put(self._folder, target, text)

    def _learned(self, files: frozenset[str]) -> tuple[Patterns, Lines]:
        """The common parts of match pages, learned from a few matches of each tournament."""
        sample, mains = [], []
        for _, matches in groupby(sorted(self._matches, key=_tournament), _tournament):
            for target in islice(matches, SAMPLE):
                match = site_here().match(target.key)
                sample.append(match)
                text = match_page(match, target, self._addresses, files)
                mains.append(main_of(text))
        return usual_patterns(sample), usual_lines(mains)

    def _write_assets(self, patterns: Patterns, lines: Lines) -> None:
        for path in assets.STATIC.rglob("*"):
            name = path.relative_to(assets.STATIC)
            if path.is_file() and name.parts[0] != "css":
                _put_bytes(self._folder / "static" / name, path.read_bytes())
        _put_bytes(self._folder / "static" / assets.SHEET, assets.style_sheet().encode())
        start = next(target for target in self._pages if target.url == "/")
        text = (self._folder / start.file).read_text("utf-8")
        environment = self._app.jinja_env
        controls = environment.get_template("_player.html").module.controls  # type: ignore[attr-defined]
        shown = {"stages": (), "parts": (), "length": 1}
        empty = {"shown": shown, "chapters": (), "unit": "@unit"}
        suits = render_template("_suits.svg", faces=())
        script = shared(text, controls(empty, 0, {}), suits, patterns, lines)
        _put_bytes(self._folder / SHARED, script.encode())

    def _write_matches(self, files: frozenset[str], patterns: Patterns, lines: Lines) -> None:
        matches = [*self._matches]
        done = 0
        for written in self._written_matches(matches, files, patterns, lines):
            done += written
            self._watch("matches", done, len(matches))

    def _written_matches(self, matches: Sequence[Target], *common: Any) -> Iterator[int]:
        """Write the pages of matches; yield how many have been written since the last time."""
        if len(matches) <= FEW:
            writer = MatchWriter(self._app, self._folder, *common)
            for match in matches:
                writer.write(match)
                yield 1
            return
        with ProcessPoolExecutor(
            mp_context=multiprocessing.get_context("spawn"),
            max_workers=os.cpu_count(),
            initializer=_open_writer,
            initargs=(self._source, self._folder, *common),
        ) as workers:
            parts = [matches[at : at + AT_ONCE] for at in range(0, len(matches), AT_ONCE)]
            try:
                with uninterrupted():
                    tasks = [workers.submit(_write_matches, part) for part in parts]
                for task in as_completed(tasks):
                    yield task.result()
            except BrokenProcessPool as error:
                raise ArenaFailure("A process that writes pages was killed. Try again.") from error
            finally:
                workers.shutdown(cancel_futures=True)

    def _write_season_files(self) -> None:
        store = self._app.extensions["arena"].store
        for number, target in enumerate(self._seasons, start=1):
            about = dict(target.about)
            path = self._folder / target.file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                store.export(about["name"], about["number"], file)
            self._watch("files of seasons", number, len(self._seasons))


class MatchWriter:
    """Writes the pages of matches into an archive."""

    def __init__(
        self,
        app: Flask,
        folder: Path,
        files: frozenset[str],
        patterns: Patterns,
        lines: Lines,
    ) -> None:
        self._app = app
        self._folder = folder
        self._files = files
        self._patterns = patterns
        self._lines = lines
        self._addresses = Addresses(app)

    def write(self, target: Target) -> None:
        with self._app.test_request_context(target.url):
            match = site_here().match(target.key)
            text = match_page(match, target, self._addresses, self._files)
            data = match_data(match, self._patterns)
        _put(self._folder, target, packed(text, target, data, self._lines))


def match_page(
    match: MatchDetail, target: Target, addresses: Addresses, files: frozenset[str]
) -> str:
    """A match's page without its games, as a file."""
    page = render_template(
        "archived_match.html", **overview(match), **review_of(match), game_number=0
    )
    return as_file(page, target, addresses, lambda to: to.file in files)


_writers: list[MatchWriter] = []
"""The writer of this process, if several write an archive."""


def _open_writer(source: Source, folder: Path, *common: Any) -> None:
    end_with_parent()
    _writers.append(MatchWriter(source.open(), folder, *common))


def _write_matches(targets: Sequence[Target]) -> int:
    for target in targets:
        _writers[0].write(target)
    return len(targets)


def _tournament(target: Target) -> str:
    return target.key.partition("/")[0]


def _put(folder: Path, target: Target, text: str) -> None:
    _put_bytes(folder / target.file, text.encode())


def _put_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
