"""A host: a machine that plays matches, as it describes itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from card_arena.common.json import canonical, sha256

LONGEST_NAME = 64
"""The most characters of a host's name."""


@dataclass(frozen=True)
class Host:
    """The facts of a machine that joins a cluster, as it describes itself.

    `arena` is the arena's version with the digest of its sources. `system` names the kernel and the
    processor's kind. `speed` is how many million steps of a fixed computation one core does in a
    second. `languages` maps each language to the digest of its tools, `sandboxes` each kind of
    sandbox to the guarantees that it keeps, and `images` those made from an image to the image's
    digest.
    """

    name: str
    arena: str
    system: str
    cores: int
    speed: float
    languages: Mapping[str, str] = field(default_factory=dict)
    sandboxes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    images: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Host:
        """Read the data of `to_data`; raises `TypeError`, `ValueError` or `KeyError`."""
        name = str(data["name"])
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise ValueError(f"a host's name has 1 to {LONGEST_NAME} printable characters")
        return cls(
            name=name,
            arena=str(data["arena"]),
            system=str(data["system"]),
            cores=int(data["cores"]),
            speed=float(data["speed"]),
            languages={str(name): str(digest) for name, digest in data["languages"].items()},
            sandboxes={
                str(name): tuple(map(str, guarantees))
                for name, guarantees in data["sandboxes"].items()
            },
            images={str(name): str(digest) for name, digest in data["images"].items()},
        )

    def to_data(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "sandboxes": {name: [*guarantees] for name, guarantees in self.sandboxes.items()},
        }

    @cached_property
    def sha256(self) -> str:
        """The hash of its facts, which identifies it in the ledger and the store."""
        return sha256(canonical(self.to_data()))

    def unlike(self, other: Host, languages: frozenset[str] | None, sandbox: str) -> Iterator[str]:
        """Yield the differences from another host for bots in these languages, None for any bots.

        Where sandboxes are made of an image, it has the languages; otherwise the machine has them.
        """
        if sandbox in self.images or sandbox in other.images:
            if self.images.get(sandbox) != other.images.get(sandbox):
                yield f"its image of {sandbox} sandboxes is another than {other.name}'s"
            return
        names = {*self.languages, *other.languages} if languages is None else languages
        for name in sorted(names):
            ours, theirs = self.languages.get(name), other.languages.get(name)
            if ours == theirs:
                continue
            if ours is None:
                yield f"it has no {name}, and {other.name} has"
            elif theirs is None:
                yield f"it has {name}, and {other.name} has not"
            else:
                yield f"its {name} is {ours}, and {other.name}'s is {theirs}"
