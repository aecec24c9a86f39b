"""Tests that fail in the crowd of a whole run, and pass alone: `tests/unsteady.yaml` lists them.

After a run by several workers each test that failed is run again alone, once. If all pass then, the
run passes, and those that are not listed yet are added to the list, which may hold
`MOST_UNSTEADY`. A test that fails alone is not unsteady: it fails, and is removed from the list.
A test that fails because an earlier one left something open is not unsteady either, unless the
earlier one failed too.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest
import yaml

MOST_UNSTEADY = 5
"""The most tests that the list may hold, with those of the run that just ended."""

UNKNOWN = "unknown"
"""The reason of an entry that a run has added; a test demands a better one."""

ALONE_SECONDS = 1800
"""The most seconds that a test, or its whole file, may take alone, with the start of pytest."""

LEFT_OPEN = re.compile("PytestUnraisableExceptionWarning|PytestUnhandledThreadExceptionWarning")
"""Warnings about a file or a process that nobody closed, and about a thread that failed. They fail
the test that runs at the time, which need not be the one that left it."""


class Entry(TypedDict):
    """A listed test: its id, its seconds when it failed among others, and why it is unsteady."""

    test: str
    seconds: float
    reason: str


def read_list(file: Path) -> list[Entry]:
    """Return the entries of the list; raises `OSError` or `yaml.YAMLError`."""
    return yaml.safe_load(file.read_text()) or []


def write_list(file: Path, entries: list[Entry]) -> None:
    """Write the list, and leave the comment at its beginning."""
    lines = file.read_text().splitlines(keepends=True)
    comment = "".join(line for line in lines if line.startswith("#"))
    text = yaml.safe_dump(entries, sort_keys=False, width=1000) if entries else ""
    file.write_text(comment + text)


class UnsteadyTests:
    """Runs the failed tests of a run by several workers again, each alone."""

    def __init__(self, config: pytest.Config) -> None:
        self.file = config.rootpath / "tests" / "unsteady.yaml"
        self.folder = config.rootpath
        self.all_collected = True
        self.seconds = Counter[str]()
        self.failed: list[str] = []
        self.failed_at_end = set[str]()
        self.met_what_was_left = set[str]()
        self.workers_after_failures = set[str]()
        self.lines: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that the tests of a file could not be read: such a run never passes."""
        self.all_collected = self.all_collected and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add setup, call and teardown of a test, and note whether one of them failed."""
        self.seconds[report.nodeid] += report.duration
        if not report.failed:
            return
        if report.nodeid not in self.failed:
            self.failed.append(report.nodeid)
        if report.when == "teardown":
            self.failed_at_end.add(report.nodeid)
        worker = getattr(report, "worker_id", "")
        if not LEFT_OPEN.search(report.longreprtext):
            self.workers_after_failures.add(worker)
        elif worker not in self.workers_after_failures:
            self.met_what_was_left.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Run the failed tests alone; the run passes if these do and the list can hold them."""
        if exitstatus != pytest.ExitCode.TESTS_FAILED or not (self.failed and self.all_collected):
            return
        if len(self.seconds) < session.testscollected:  # the workers died before the last test
            return
        try:
            self._run_again(session)
        except (OSError, yaml.YAMLError) as error:
            self.lines.append(f"{self.file} can't be used, so no failed test is forgiven: {error}")

    def _run_again(self, session: pytest.Session) -> None:
        entries = read_list(self.file)
        listed = {entry["test"] for entry in entries}
        total = len(listed.union(self.failed))
        if total > MOST_UNSTEADY:
            self.lines.append(
                f"{len(self.failed)} tests failed and {len(listed)} are listed as unsteady, more"
                f" than {MOST_UNSTEADY} together: none was run again alone."
            )
            return
        steady = [test for test in self.failed if not self._passes_alone(test, session.config)]
        for test in self.failed:
            if test not in steady and test not in listed:
                seconds = max(0.01, round(self.seconds[test], 2))
                entries.append({"test": test, "seconds": seconds, "reason": UNKNOWN})
        write_list(self.file, [entry for entry in entries if entry["test"] not in steady])
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        for outcome in ("failed", "error"):
            reports = reporter.stats.pop(outcome, [])
            unsteady = [report for report in reports if report.nodeid not in steady]
            if remaining := [report for report in reports if report.nodeid in steady]:
                reporter.stats[outcome] = remaining
            if unsteady:
                reporter.stats.setdefault("unsteady", []).extend(unsteady)
                self.lines += [report.longreprtext for report in unsteady]
        if not steady:
            session.exitstatus = pytest.ExitCode.OK

    def _passes_alone(self, test: str, config: pytest.Config) -> bool:
        if test in self.met_what_was_left:
            self.lines.append(
                f"{test} failed because an earlier test left something open: not run again"
            )
            return False
        # What a fixture of several tests left may come to light only where all of them run.
        what = test.partition("::")[0] if test in self.failed_at_end else test
        seed = config.getoption("randomly_seed", None)
        same = [] if seed is None else [f"--randomly-seed={seed}"]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *same, what]
        begin = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                check=False,
                capture_output=True,
                text=True,
                timeout=ALONE_SECONDS,
            )
            output = done.stdout + done.stderr
            passed = not done.returncode and bool(re.search(r"^\d+ passed", output, re.MULTILINE))
        except subprocess.TimeoutExpired as error:
            output, passed = str(error), False
        alone = time.monotonic() - begin
        outcome = "passed" if passed else "did not pass"
        self.lines.append(
            f"{test} failed after {self.seconds[test]:.1f} s, and {outcome} alone, in {alone:.1f} s"
            " with the start of pytest"
        )
        if not passed:
            self.lines.append(output)
        return passed

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what was run again, and how each of the tests had failed."""
        if self.lines:
            terminalreporter.section("failed tests, run again alone")
            for line in self.lines:
                terminalreporter.line(line)
