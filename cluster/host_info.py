"""The facts of this machine for a cluster, measured when it joins."""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from common.checkout import ROOT
from common.hosts import Host
from sandbox.backends.registry import BACKENDS, backend, with_variants
from sandbox.builds import has_tool
from sandbox.doctor import examine
from sandbox.languages.registry import LANGUAGES
from sandbox.languages.toolchains import find_tool
from sandbox.sandbox import BackendMissing, SandboxBroken
from tournament.version import __version__

PARTS = (
    *("commands", "common", "tables", "sandbox", "ratings", "formats", "results"),
    *("leaderboard", "accounts", "tournament", "verify", "cluster"),
)
"""The packages whose sources are in the digest of `this_arena`."""

STEPS = 200_000
"""Steps of the computation that measures speed."""

TRIALS = 5
"""How often it is measured; the best counts, since a busy machine is not a slower one."""

CHECKING = "checking this machine, which may take a minute"
"""The message for people who wait for `host_info`."""

SHORT = 16
"""Digits of a digest that are enough for people to tell tools apart."""


def host_info(
    name: str,
    cores: int,
    sandboxes: Collection[str] = tuple(BACKENDS),
    missing: Callable[[str, str], None] = lambda _kind, _why: None,
) -> Host:
    """Check this machine, which takes a few seconds for all kinds of sandboxes.

    `missing` gets each kind that it can't make, and why.
    """
    enforced: dict[str, tuple[str, ...]] = {}
    images: dict[str, str] = {}
    for kind in with_variants(sandboxes):
        try:
            guarantees = examine(kind)
            if kind.has_images:
                images[kind.name] = kind.fingerprint((), "")[:SHORT]
        except (BackendMissing, SandboxBroken) as error:
            missing(kind.name, str(error))
            continue
        enforced[kind.name] = tuple(
            guarantee.name for guarantee in guarantees if guarantee.enforced
        )
    return Host(
        name=name,
        arena=this_arena(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=cores,
        speed=speed(),
        languages=_languages(),
        sandboxes=enforced,
        images=images,
    )


@cache
def this_arena() -> str:
    """Return the arena's version with the digest of its sources; equal ones play alike."""
    digest = hashlib.sha256()
    for path in sorted(file for part in PARTS for file in (ROOT / part).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} {digest.hexdigest()[:SHORT]}"


def speed() -> float:
    """Return a core's speed in million steps of a fixed computation a second, to two digits."""
    seconds = []
    for _ in range(TRIALS):
        began = time.thread_time()
        value = 1
        for _ in range(STEPS):
            value = value * 1103515245 + 12345 & 0x7FFFFFFF
        seconds.append(time.thread_time() - began)
    return float(f"{STEPS / min(seconds) / 1e6:.2g}")


def _languages() -> dict[str, str]:
    """Return the languages of this machine, each with the names and the digest of its tools."""
    languages = {}
    for name, language in LANGUAGES.items():
        if language.missing() is None:
            way = language.way(lambda tool: has_tool(backend(next(iter(BACKENDS))), tool))
            languages[name] = _tools(way.tools)
    return languages


def _tools(tools: Collection[str]) -> str:
    digest, names = hashlib.sha256(), []
    for tool in tools:
        path = Path(os.path.realpath(find_tool(tool) or tool))
        digest.update(_digest(path))
        names.append(path.name)
    return f"{' '.join(dict.fromkeys(names))} {digest.hexdigest()[:SHORT]}"


@cache
def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
