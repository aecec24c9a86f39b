"""A season as one file: manifest, seed, ledger, records and standings, in a zip of five members.

It is what `arena export` writes and `arena verify FILE` reads (`reading.py`), and small programs by
others can read it too: docs/verifying.md describes it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import IO

from common.canonical_json import canonical
from leaderboard.proof.ledger import Entry
from leaderboard.proof.manifest import FORMAT, Manifest

FACTS, MANIFEST, LEDGER, MATCHES, STANDINGS = MEMBERS = (
    *("season.json", "manifest.json", "ledger.jsonl"),
    *("matches.jsonl", "standings.json"),
)
"""The members of the zip, in their order."""

AT_ONCE = 500
"""How many lines are compressed at a time."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""A time for every member, so that equal seasons give equal files."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What `season.json` says: the season's name, and what is public of its secrets by now.

    `seed` is in hexadecimal, None while the season runs; `head` is the hash of the ledger's last
    entry, `manifest` the manifest's. `key` says what the key of the deals is made from.
    """

    tournament: str
    season: int
    finished: bool
    seed: str | None
    public_value: str | None
    key: str
    manifest: str
    head: str


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
    stated = {"format": FORMAT, **{name: getattr(facts, name) for name in Facts.__slots__}}
    with zipfile.ZipFile(target, "w") as archive:
        _put(archive, FACTS, [canonical(stated)])
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
