"""A season's file taken apart and put together again, as somebody would who forges it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_arena.common.json import canonical, sha256
from card_arena.results.proof.season_file import (
    FACTS,
    LEDGER,
    MANIFEST,
    MATCHES,
    MEMBERS,
    STANDINGS,
)


@dataclass
class Parts:
    """The members of a season's file, as data that a test may change."""

    facts: dict[str, Any]
    manifest: dict[str, Any]
    ledger: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    standings: dict[str, Any]

    @property
    def number(self) -> int:
        return int(self.facts["season"])

    def told(self, kind: str, season: int | None = None) -> list[dict[str, Any]]:
        """The entries of a kind about this season, or another one."""
        wanted = (kind, season or self.number)
        return [entry for entry in self.ledger if (entry["kind"], entry["season"]) == wanted]

    def cover_up(self) -> None:
        """Write every hash in the file anew, as a forger would who knows the format."""
        lines = {match["key"]: sha256(canonical(match)) for match in self.matches}
        kept = {"match": lambda entry: entry["season"] != self.number or entry["key"] in lines}
        self.ledger = [e for e in self.ledger if kept.get(e["kind"], lambda _: True)(e)]
        for entry in self.told("match"):
            entry["sha256"] = lines[entry["key"]]
        for entry in self.told("finish"):
            entry |= {"sha256": sha256(canonical(self.standings)), "matches": len(self.matches)}
        previous = "0" * 64
        for number, entry in enumerate(self.ledger, start=1):
            entry |= {"number": number, "previous": previous}
            if entry in self.told("begin"):
                self.manifest["previous"] = previous
                entry["sha256"] = self.facts["manifest"] = sha256(canonical(self.manifest))
            previous = sha256(canonical(entry))
        self.facts["head"] = previous


def taken_apart(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in MEMBERS}
    return Parts(
        json.loads(texts[FACTS]),
        json.loads(texts[MANIFEST]),
        [json.loads(line) for line in texts[LEDGER].splitlines()],
        [json.loads(line) for line in texts[MATCHES].splitlines()],
        json.loads(texts[STANDINGS]),
    )


def put_together(parts: Parts, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(FACTS, canonical(parts.facts))
        archive.writestr(MANIFEST, canonical(parts.manifest))
        archive.writestr(LEDGER, "".join(f"{canonical(each)}\n" for each in parts.ledger))
        archive.writestr(MATCHES, "".join(f"{canonical(each)}\n" for each in parts.matches))
        archive.writestr(STANDINGS, canonical(parts.standings))
    return path


Forgery = Callable[[Parts], None]
