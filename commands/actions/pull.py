"""`arena pull`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from card_arena.commands.files import new_file
from card_arena.commands.other_arena import NotUnderstood, OtherArena
from card_arena.commands.printer import say
from card_arena.leaderboard.match_file import file_name as match_file_name
from card_arena.results.proof.season_file import file_name as season_file_name

EXPECTED = (
    "expected the address of a match or of a season, as a browser shows it, such as"
    " https://arena.example/match/friday/0003/t07/r2/a or https://arena.example/t/friday/3"
)

_KEY = re.compile(r"[a-z0-9][a-z0-9_-]{0,42}/[0-9]{1,9}(/[a-z0-9]{1,32}){1,8}")
_SEASON = re.compile(r"([a-z0-9][a-z0-9_-]{0,42})/([0-9]{1,9})")


class Source(NamedTuple):
    """A file to fetch: the arena, the parts of the path in its API, and the file's name."""

    arena: str
    path: Sequence[str | int]
    file: str


def pull(address: str, file: Path | None) -> None:
    """Fetch a match or a season; an existing file is replaced when the new one is complete."""
    source = source_of(address)
    path = file or Path(source.file)
    with new_file(path, 0o644) as target:
        OtherArena(source.arena).fetch(target, *source.path)
    if source.path[0] == "matches":
        say(f"wrote {path}: `arena replay {path}` shows it, and")
        say(f"`arena repro {path} GAME QUESTION BOT` asks a bot one of its questions again")
    else:
        say(f"wrote {path}: check it with `arena verify {path}`")


def source_of(address: str) -> Source:
    """Read an address of a page or of the API; raises `NotUnderstood`."""
    parts = urlsplit(address)
    path = unquote(parts.path).rstrip("/")
    for room, pattern in (
        ("/match/", _KEY),
        ("/api/v1/matches/", _KEY),
        ("/t/", _SEASON),
        ("/api/v1/tournaments/", _SEASON),
    ):
        before, match, rest = path.rpartition(room) if room in path else (path, "", "")
        rest = rest.removesuffix("/season.zip").removesuffix("/file").replace("/seasons/", "/")
        if not match or not pattern.fullmatch(rest):
            continue
        arena = f"{parts.scheme}://{parts.netloc}{before}"
        if pattern is _KEY:
            return Source(arena, ("matches", rest, "file"), match_file_name(rest))
        name, number = rest.split("/")
        where = ("tournaments", name, "seasons", int(number), "file")
        return Source(arena, where, season_file_name(name, int(number)))
    raise NotUnderstood(f"{address[:200]!r} can't be fetched: {EXPECTED}")
