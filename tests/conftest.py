"""What holds for every test there is."""

import gc
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browsers import chromium
from tests.databases import file_url, server, server_url, url, with_tables

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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Begin with what is given more time than the rest: at the end nobody would share the work.

    Each worker is handed an equal part of the list before one that is done takes from another. So
    each part begins with some of the long tests, and goes on with neighbours: a folder's tests
    share a browser, a server or boxes, which every worker that has one of them starts anew.
    """
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
    """Offer to write what each test took."""
    parser.addoption(
        "--record-durations", type=Path, help="write the seconds of each test, all its cases, here"
    )


def pytest_configure(config):
    """Record durations in the process that hears of all tests."""
    file = config.getoption("--record-durations")
    if file is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Durations(file))


class Durations:
    """Writes the seconds of each test to a file, the longest first."""

    def __init__(self, file):
        self.file = file
        self.seconds = Counter()

    def pytest_runtest_logreport(self, report):
        """Add setup, call and teardown of a test, and those of its other cases."""
        self.seconds[report.nodeid.partition("[")[0]] += report.duration

    def pytest_sessionfinish(self):
        """Write the file."""
        total = sum(self.seconds.values())
        lines = [f"{total:.0f} all tests", *(f"{t:.2f} {n}" for n, t in self.seconds.most_common())]
        self.file.write_text("\n".join(lines) + "\n")
