"""A test that fails among others and passes alone is listed; one that fails alone fails the run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.unsteady import MOST_UNSTEADY, UNKNOWN, read_list

TOP = Path(__file__).parent.parent
COMMENT = "# the list\n"
CONFTEST = f"""\
import os, sys
sys.path.insert(0, {str(TOP)!r})
from tests.unsteady import UnsteadyTests

def pytest_configure(config):
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(UnsteadyTests(config))
"""
ONLY_XDIST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist.plugin"}
"""Without the other plugins pytest starts in a third of the time."""
IN_THE_CROWD = "'PYTEST_XDIST_WORKER' in os.environ"


def run_two_workers(folder: Path, tests: str, listed: str = "") -> tuple[int, str, str]:
    """Return the exit code, the output and the list after a run of these tests."""
    (folder / "tests").mkdir()
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(f"import os\n{tests}")
    file = folder / "tests" / "unsteady.yaml"
    file.write_text(COMMENT + listed)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2"],
        cwd=folder,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")} | ONLY_XDIST,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, file.read_text()


def fails_in_the_crowd(name: str) -> str:
    return f"def {name}():\n    assert not {IN_THE_CROWD}, 'crowded'\n"


def entry(test: str) -> str:
    return f"- test: {test}\n  seconds: 1.0\n  reason: it waits for a clock\n"


def test_a_test_that_passes_alone_is_listed_with_its_seconds_and_the_run_passes(tmp_path):
    tests = fails_in_the_crowd("test_shy") + "def test_good():\n    pass\n"
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 0, output
    assert re.search(r"test_it.py::test_shy failed after [0-9.]+ s, and passed alone", output)
    assert "crowded" in output  # how it failed is still told
    assert re.search(r"^1 passed, 1 unsteady in", output, re.MULTILINE)
    seconds = re.fullmatch(
        f"{COMMENT}- test: test_it.py::test_shy\n  seconds: ([0-9.]+)\n  reason: {UNKNOWN}\n",
        listed,
    )
    assert seconds, listed


def test_a_test_that_also_fails_alone_fails_the_run_and_leaves_the_list(tmp_path):
    tests = "def test_bad():\n    assert 0, 'always'\n" + fails_in_the_crowd("test_shy")
    code, output, listed = run_two_workers(tmp_path, tests, entry("test_it.py::test_bad"))
    assert code == 1
    assert re.search(r"test_it.py::test_bad failed after [0-9.]+ s, and did not pass alone", output)
    assert "1 failed, 1 unsteady" in output
    assert "test_bad" not in listed
    assert "test_shy" in listed


def test_a_setup_that_fails_in_the_crowd_counts_as_its_test(tmp_path):
    tests = (
        "import pytest\n@pytest.fixture\ndef place():\n"
        f"    assert not {IN_THE_CROWD}\ndef test_set_up(place):\n    pass\n"
    )
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 0, output
    assert "test_it.py::test_set_up" in listed


def test_a_worker_that_dies_of_a_test_fails_it_in_the_crowd(tmp_path):
    tests = f"def test_deadly():\n    if {IN_THE_CROWD}:\n        os._exit(1)\n"
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 0, output
    assert "test_it.py::test_deadly" in listed


def test_a_run_that_can_not_read_one_of_its_files_never_passes(tmp_path):
    (tmp_path / "test_broken.py").write_text("import no_such_module\n")
    code, output, listed = run_two_workers(tmp_path, fails_in_the_crowd("test_shy"))
    assert code != 0
    assert "no_such_module" in output
    assert listed == COMMENT


def test_a_test_that_is_skipped_alone_has_not_passed(tmp_path):
    tests = (
        f"import pytest\ndef test_gone():\n    assert not {IN_THE_CROWD}\n    pytest.skip('gone')\n"
    )
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 1
    assert "did not pass alone" in output
    assert listed == COMMENT


def test_more_than_five_with_those_on_the_list_fail_the_run(tmp_path):
    tests = fails_in_the_crowd("test_a") + fails_in_the_crowd("test_b")
    names = [f"test_it.py::test_known_{number}" for number in range(MOST_UNSTEADY - 1)]
    before = "".join(map(entry, names))
    code, output, listed = run_two_workers(tmp_path, tests, before)
    assert code == 1
    assert "2 tests failed and 4 are listed as unsteady, more than 5 together" in output
    assert listed == COMMENT + before


def test_the_list_names_tests_that_exist_and_why_each_is_unsteady():
    entries = read_list(TOP / "tests" / "unsteady.yaml")
    assert len(entries) <= MOST_UNSTEADY
    for listed in entries:
        path, *names = re.sub(r"\[.*", "", listed["test"]).split("::")
        tree = ast.parse((TOP / path).read_text())
        defined = {getattr(node, "name", None) for node in ast.walk(tree)}
        assert defined >= {*names}, listed
        assert listed["seconds"] > 0, listed
        assert listed["reason"].strip() not in ("", UNKNOWN), listed
