"""The pages that show what was measured: each table stands there in a block of its own."""

from __future__ import annotations

import os
import platform
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from card_arena.common.text import markdown_table
from card_arena.tests.bench.tables import Table
from card_arena.tests.bench.timing import TOP, one_core
from card_arena.tests.blocks import render, standing

PAGES = ("docs/performance.md", "docs/languages.md", "docs/security.md", "docs/comparing.md")
PREFIX = "bench "
"""What the blocks' names begin with, so that nobody takes them for blocks made from the code."""


def measured(one: Table, rounds: int) -> str:
    """Measure a table and write it as Markdown, below a line that tells when and where."""
    with one_core() if one.one_core else nullcontext():
        rows = list(one.rows(rounds))
    return f"{conditions()}\n\n{markdown_table(one.headings, rows)}"


def conditions() -> str:
    """Name the day, the user and the machine of a measurement, in one sentence."""
    system = platform.freedesktop_os_release()
    named = f"{system['NAME'].removesuffix(' GNU/Linux')} {system.get('VERSION_ID', '')}".strip()
    kernel = ".".join(platform.release().split(".")[:2])
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} as {user}, on {os.cpu_count()} cores,"
        f" {named} with Linux {kernel}."
    )


def write(name: str, text: str, top: Path = TOP) -> str:
    """Put a measured table into its block; gives the page that has it, and changes no other."""
    block = f"{PREFIX}{name}"
    for page in PAGES:
        before = (top / page).read_text()
        if block in (there := standing(before)):
            blocks = {each: partial(str, kept) for each, kept in there.items()}
            (top / page).write_text(render(before, {**blocks, block: lambda: text}))
            return page
    raise LookupError(f"no page has a block {block!r}")
