"""A test that fails among others and passes alone is listed; one that fails alone fails the run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from card_arena.tests.unsteady import MOST_UNSTEADY, UNKNOWN, read_list

TOP = Path(__file__).parent.parent
COMMENT = "# the list\n"
CONFTEST = f"""\
import os, sys
sys.path.insert(0, {str(TOP)!r})
from card_arena.tests.unsteady import UnsteadyTests

def pytest_configure(config):
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(UnsteadyTests(config))
"""
ONLY_XDIST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist"}
"""Without the other plugins pytest starts in a third of the time."""
WITH_RANDOMLY = ONLY_XDIST | {"PYTEST_ADDOPTS": "-p xdist -p randomly"}
IN_THE_CROWD = "'PYTEST_XDIST_WORKER' in os.environ"


def run_two_workers(
    folder: Path, tests: str, listed: str = "", plugins: Mapping[str, str] = ONLY_XDIST
) -> tuple[int, str, str]:
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
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")} | {**plugins},
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


@pytest.mark.parametrize("left", ["file", "thread"])
def test_a_test_that_met_what_another_has_left_open_is_not_forgiven(tmp_path, left):
    """The one that left it passes in the crowd: only this failure tells of it."""
    leaks = {
        "file": "    circle = [open(os.devnull)]\n    circle.append(circle)\n",
        "thread": "    threading.Thread(target=lambda: time.sleep(0.1) or 1 / 0).start()\n",
    }
    tests = (
        "import gc, threading, time\ndef test_leaving():\n"
        + leaks[left]
        + "def test_meeting():\n    time.sleep(0.3)\n    gc.collect()\n"
        + "".join(f"def test_of_the_other_worker_{n}():\n    pass\n" for n in range(2))
    )
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 1, output
    assert "an earlier test left something open" in output
    assert listed == COMMENT


def test_what_a_failed_test_has_left_open_is_forgiven_with_it(tmp_path):
    tests = (
        "import gc\ndef test_leaving():\n    circle = [open(os.devnull)]\n"
        f"    circle.append(circle)\n    assert not {IN_THE_CROWD}\n    circle[0].close()\n"
        "def test_meeting():\n    gc.collect()\n"
        + "".join(f"def test_of_the_other_worker_{n}():\n    pass\n" for n in range(2))
    )
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 0, output
    assert "test_leaving" in listed


def test_an_end_that_fails_is_run_again_with_its_whole_file(tmp_path):
    """What a fixture of a module finds at its end, another of the module's tests has done."""
    tests = (
        "import pytest\n@pytest.fixture(scope='module', autouse=True)\ndef place():\n"
        "    did = []\n    yield did\n    assert not did, 'not clean'\n"
        "def test_one(place):\n    place.append(1)\ndef test_two(place):\n    pass\n"
    )
    code, output, listed = run_two_workers(tmp_path, tests)
    assert code == 1, output
    assert listed == COMMENT


def test_a_test_has_the_same_random_numbers_alone(tmp_path):
    tests = (
        "import pathlib, random\nfile = pathlib.Path('drawn')\ndef test_luck():\n"
        f"    drawn = repr(random.random())\n    if {IN_THE_CROWD}:\n"
        "        file.write_text(drawn)\n    assert drawn != file.read_text()\n"
    )
    code, output, listed = run_two_workers(tmp_path, tests, plugins=WITH_RANDOMLY)
    assert code == 1, output
    assert "did not pass alone" in output
    assert listed == COMMENT


def test_a_list_that_can_not_be_read_forgives_nothing_and_hides_nothing(tmp_path):
    code, output, _ = run_two_workers(tmp_path, fails_in_the_crowd("test_shy"), "- {\n")
    assert code == 1
    assert "can't be used, so no failed test is forgiven" in output
    assert "crowded" in output


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
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--collect-only"]
        done = subprocess.run(
            [*command, listed["test"]], cwd=TOP, capture_output=True, text=True, check=False
        )
        assert listed["test"] in done.stdout.splitlines(), done.stdout
        assert listed["seconds"] > 0, listed
        assert len(listed["reason"].split()) > 2, listed
