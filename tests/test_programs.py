"""`scripts/test` installs every program that a test asks for, and tests ask for what they start."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.sandbox.languages.registry import packages
from card_arena.tests.needs import PACKAGES, need

TOP = Path(__file__).parent.parent
FILES = [file for file in (TOP / "tests").rglob("*.py") if "programs" not in file.parts]
SCRIPT = (TOP / "scripts" / "test").read_text()
WANTED = dict(re.findall(r"^want (\S+) (.+)$", SCRIPT, re.MULTILINE))
"""The programs that `scripts/test` looks for, and the package of each."""
EVERYWHERE = {
    *("apt-get", "bash", "dpkg-query", "git", "ldd", "mount", "sh", "sleep", "umount", "unshare")
}
"""What every Debian has, and what a checkout came by."""
STARTERS = ("run", "Popen", "check_call", "check_output")


def calls(tree: ast.AST, *functions: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in functions:
            yield node


def programs_started(file: Path) -> Iterator[str]:
    """The programs whose names stand in a file, first in a command that is started there."""
    tree = ast.parse(file.read_text())
    named = {
        ast.unparse(node.targets[0]): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
    }
    for call in calls(tree, *(f"subprocess.{name}" for name in STARTERS)):
        first = named.get(ast.unparse(call.args[0]), call.args[0])
        while isinstance(first, ast.List | ast.Tuple | ast.Starred):
            first = first.value if isinstance(first, ast.Starred) else first.elts[0]
        if isinstance(first, ast.Constant):
            yield Path(first.value).name


def test_whatever_a_test_needs_is_installed_before_it_runs() -> None:
    also = " ".join(re.findall(r"missing\+=\((.+?)\)", SCRIPT)).split()
    installed = {*WANTED.values(), *also, *packages(), *EVERYWHERE, "apt"}
    assert {name for package in PACKAGES.values() for name in package.split()} <= installed


@pytest.mark.parametrize("program", PACKAGES)
def test_the_packages_of_a_program_have_it(program: str) -> None:
    """A quick run sees it too, if only long tests need the program."""
    need(program)


def test_a_test_starts_no_program_that_nothing_installs() -> None:
    started = {file.name: {*programs_started(file)} for file in FILES}
    assert "ssh-keygen" in started["test_proof.py"]
    ours = {file.name for file in (TOP / "scripts").iterdir()}
    found = {*WANTED, *PACKAGES, *EVERYWHERE, *ours}
    assert {file: names - found for file, names in started.items() if names - found} == {
        "recorded_calls.py": {"strace"}  # scripts/record-calls installs it
    }


@pytest.mark.parametrize(
    ("refused", "outcome"),
    [("", pytest.fail.Exception), ("gone other", pytest.skip.Exception)],
)
def test_a_program_is_skipped_only_where_apt_refused_it(
    monkeypatch: pytest.MonkeyPatch, refused: str, outcome: type[BaseException]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("ARENA_REFUSED_PACKAGES", refused)
    monkeypatch.setitem(PACKAGES, "gone", "gone")
    with pytest.raises(outcome, match="gone"):
        need("gone")


def test_only_one_module_of_the_tests_asks_which_programs_there_are() -> None:
    """It knows whether a test is skipped or fails where one is missing."""
    asks = [file.name for file in FILES if [*calls(ast.parse(file.read_text()), "shutil.which")]]
    assert asks == ["needs.py"]
