"""What holds for every test there is."""

import gc
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from card_arena.tests.browsers import chromium
from card_arena.tests.databases import file_url, server, server_url, url, with_tables
from card_arena.tests.structure import loaded_twice
from card_arena.tests.unsteady import UnsteadyTests

__all__ = ["chromium", "file_url", "server", "server_url", "url", "with_tables"]

# The same examples in every run, however busy the machine is: a failure is a change's and no luck.
settings.register_profile(
    "fixed",
    max_examples=50,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# Others each time: `scripts/test tests/tournament --hypothesis-profile thorough`.
settings.register_profile(
    "thorough", settings.get_profile("fixed"), max_examples=1000, derandomize=False
)
settings.load_profile("fixed")

DURATIONS = Path(__file__).with_name("durations.txt")
QUICK_SECONDS = 0.5
"""What all cases of a test may take together in a run of `--quick`."""
PROCESSOR = pytest.StashKey()


@pytest.fixture(scope="session", autouse=True)
def _each_file_is_loaded_once():
    """A test is imported from its file, and what it shares with others as `card_arena.tests`."""
    yield
    assert loaded_twice(sys.modules) == []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Leave out long tests if only quick ones are wanted, and begin with the longest.

    At the end nobody would share the work of a test that is given more time than the rest.
    Each worker is handed an equal part of the list before one that is done takes from another. So
    each part begins with some of the long tests, and goes on with neighbours: a folder's tests
    share a browser, a server or sandboxes, which every worker that has one of them starts anew.
    """
    if config.getoption("--quick"):
        rows = [line.split(maxsplit=2) for line in DURATIONS.read_text().splitlines()]
        long_tests = {name for seconds, _, name in rows if float(seconds) > QUICK_SECONDS}
        names = {item: item.nodeid.partition("[")[0] for item in items}
        config.hook.pytest_deselected(items=[i for i in items if names[i] in long_tests])
        items[:] = [item for item in items if names[item] not in long_tests]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.get_closest_marker("timeout")]
    short = [item for item in items if not item.get_closest_marker("timeout")]
    short.sort(key=lambda item: item.path.relative_to(config.rootpath).parts[:2])
    ordered = []
    for number in range(workers):
        size = (len(items) - len(ordered)) // (workers - number)
        begin = long[number::workers]
        ordered += begin + [short.pop(0) for _ in range(min(len(short), size - len(begin)))]
    items[:] = ordered + short


def pytest_collection_finish():
    """Leave thousands of tests out of what is searched for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_addoption(parser):
    """Offer to run only quick tests, and to write what each test costs."""
    parser.addoption(
        "--quick",
        action="store_true",
        help=f"leave out tests of more than {QUICK_SECONDS} s by tests/durations.txt",
    )
    parser.addoption(
        "--list-unsteady",
        action="store_true",
        help="run each failed test again alone, and list it in tests/unsteady.yaml if it passes",
    )
    parser.addoption(
        "--record-durations",
        type=Path,
        metavar="FILE",
        help="write the seconds of each test, and the processor seconds that it used",
    )


def pytest_configure(config):
    """Look at the reports of all tests in the process that receives them."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    file = config.getoption("--record-durations")
    if file is not None:
        config.pluginmanager.register(Durations(file))
    if config.getoption("--list-unsteady"):
        config.pluginmanager.register(UnsteadyTests(config))


def processor_seconds():
    """Return the processor seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Note in each report how much of the processor was used since the report before."""
    report = (yield).get_result()
    now = processor_seconds()
    report.processor = now - item.config.stash.get(PROCESSOR, now)
    item.config.stash[PROCESSOR] = now


class Durations:
    """Writes the seconds of each test and its processor seconds to a file, the longest first."""

    def __init__(self, file):
        self.file = file
        self.seconds = Counter()
        self.processor = Counter()

    def pytest_runtest_logreport(self, report):
        """Add setup, call and teardown of a test, and those of its other cases."""
        name = report.nodeid.partition("[")[0]
        self.seconds[name] += report.duration
        self.processor[name] += report.processor

    def pytest_sessionfinish(self):
        """Write the file."""
        rows = [(sum(self.seconds.values()), sum(self.processor.values()), "all tests")]
        rows += [(t, self.processor[name], name) for name, t in self.seconds.most_common()]
        lines = [f"{seconds:.2f} {processor:.2f} {name}" for seconds, processor, name in rows]
        self.file.write_text("\n".join(lines) + "\n")
