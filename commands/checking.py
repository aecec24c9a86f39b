"""How far a verification has come: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from datetime import timedelta

from rich.progress import BarColumn, Progress, TextColumn

from commands.console import Printer
from commands.progress import REDIRECTED, Bar, Rarely
from leaderboard.seasons import spoken
from verify.verify import Headway


class Checking(Bar):
    """Counts the matches that were checked, and says how long the rest takes.

    Use it in a `with` block, which removes the bar at its end.
    """

    def __init__(self, console: Printer, total: int) -> None:
        self._console = console
        self._total = total
        self._before = 0
        self._fresh = 0
        self._season = Headway("", 0, 0, 0, 0)
        self._began = time.monotonic()
        self._rarely = Rarely(console)
        self._progress = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._task = self._progress.add_task("", total=total)

    def show(self, headway: Headway) -> None:
        last = self._season
        if (last.tournament, last.number) != (headway.tournament, headway.number):
            self._before += last.matches
            last = Headway(headway.tournament, headway.number, 0, 0, headway.total)
        self._fresh += (headway.matches - headway.earlier) - (last.matches - last.earlier)
        self._season = headway
        told = self.told(time.monotonic() - self._began)
        self._progress.update(self._task, completed=self.checked, description=told)
        if self._rarely.now():
            self._console.print(told, soft_wrap=True)

    @property
    def checked(self) -> int:
        """How many matches were checked, in this sitting or before."""
        return self._before + self._season.matches

    def told(self, seconds: float) -> str:
        """Say it: "1,200 of 9,000 matches checked, 64 a second, about 2 min left".

        Matches that were checked in an earlier sitting took no time, so they don't count for the
        speed.
        """
        told = f"{self.checked:,} of {self._total:,} matches checked"
        if not self._fresh or seconds < 1:
            return told
        a_second = self._fresh / seconds
        left = spoken(timedelta(seconds=max(0, self._total - self.checked) / a_second))
        about = "" if left.startswith("less") else "about "
        return f"{told}, {a_second:,.0f} a second, {about}{left} left"
