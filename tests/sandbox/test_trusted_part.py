"""The part of the sandbox that a reviewer has to believe, as docs/security.md lists it."""

from __future__ import annotations

import ast
import platform
import re
from pathlib import Path

import pytest

from card_arena.sandbox.kernel.calls import numbers

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
SECTION = PAGE.partition("## How to review it")[2].partition("\n## ")[0]
PART = re.findall(r"^\| \[(sandbox/[\w/]+\.py)\]", SECTION, re.MULTILINE)
MOST_LINES = 2500
BESIDE = {
    "sandbox",
    "limits",
    "backends.bubblewrap_support",
    "backends.layout",
    "backends.system_image",
    "backends.zygote",
    "inside.accounting",
    "inside.build_worker",
    "inside.proc_files",
    "inside.zygote_compiler",
    "kernel.calls",
    "kernel.cgroups",
    "session.idle_bots",
    "session.piloted_sandbox",
}
"""What the part imports of the rest: data, measuring, and what the page says a reason for."""
HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
OURS = "card_arena."


def modules_imported(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            path = ROOT / node.module.removeprefix(OURS).replace(".", "/")
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {*inner} if path.is_dir() else {node.module}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.removeprefix(OURS) for name in names if name.startswith(f"{OURS}sandbox.")}


def test_the_part_that_security_rests_on_has_at_most_2500_lines():
    assert len(PART) == len({*PART}) == 13
    assert sum(len((ROOT / name).read_text().splitlines()) for name in PART) <= MOST_LINES


def test_it_imports_nothing_of_the_rest_but_what_is_named():
    own = {name.removesuffix(".py").replace("/", ".") for name in PART}
    used = set().union(*(modules_imported(ROOT / name) for name in PART))
    assert used - own == {f"sandbox.{name}" for name in BESIDE}


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not HEADER.exists(), reason="no headers of this kernel"
)
def test_system_calls_have_the_numbers_of_the_kernels_headers():
    defined = re.findall(r"#define __NR_(\w+) (\d+)", HEADER.read_text())
    known = numbers("x86_64")
    assert len(defined) > 300
    shared = {name: int(number) for name, number in defined if name in known}
    assert len(shared) > 300
    assert shared == {name: known[name] for name in shared}
