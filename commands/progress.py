"""Progress: a bar in a terminal, and a line now and then where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from commands.console import Printer
from commands.standings_table import standings_table
from common.text import one_line
from leaderboard.seasons import UnknownSeason, season_pace, time_left
from leaderboard.standings import standings_with_figures
from ratings.pace import Pace
from results.entries import Season
from results.store import Store
from tournament.play.lineup import Tried
from tournament.play.season import PAUSE_FACTOR, Headway
from tournament.settings import Settings

EVERY = 30.0
"""Seconds between two lines where no bar can be drawn."""

LOOK = 1.0
"""Seconds between two looks at the matches that were stored."""

REDIRECTED = False
"""Redirected, other output would pass through the bar, which obeys some escape sequences."""


class Rarely:
    """Says when a line is due: never in a terminal, and now and then in a file."""

    def __init__(self, console: Printer) -> None:
        self._console = console
        self._next = time.monotonic() + EVERY

    def now(self) -> bool:
        if self._console.is_terminal or time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + EVERY
        return True


class Bar:
    """A bar that is drawn in a terminal while its `with` block lasts."""

    _console: Printer
    _progress: Progress

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress.live.is_started:  # else an empty line would be printed
            self._progress.stop()


class Counter(Bar):
    """Counts up to a known number. Use it in a `with` block, which removes the bar at its end."""

    def __init__(self, console: Printer, what: str, total: int) -> None:
        self._console = console
        self._what = what
        self._total = total
        self._rarely = Rarely(console)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=console,
            transient=True,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._task = self._progress.add_task(what, total=total)

    def count(self, done: int) -> None:
        self._progress.update(self._task, completed=done)
        if self._rarely.now():
            self._console.print(f"{done} of {self._total} {self._what}")


class Stages(Bar):
    """Counts several things one after another. Use it in a `with` block, as `Counter`."""

    def __init__(self, console: Printer) -> None:
        self._console = console
        self._rarely = Rarely(console)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            console=console,
            transient=True,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._task = self._progress.add_task("")

    def count(self, what: str, done: int, total: int) -> None:
        self._progress.update(self._task, description=what, completed=done, total=total)
        if self._rarely.now():
            self._console.print(f"{done} of {total} {what}")


class Narrowing(Bar):
    """Boards of a comparison whose number is not known: those played, those still expected.

    Use it in a `with` block, which removes the bar at its end.
    """

    def __init__(self, console: Printer) -> None:
        self._console = console
        self._rarely = Rarely(console)
        self._progress = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.completed} of about {task.total} boards", markup=False),
            TimeRemainingColumn(compact=True),
            TextColumn("left; {task.description}", markup=False),
            console=console,
            transient=True,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._task = self._progress.add_task("", total=None)

    def show(self, boards: int, to_come: int, estimate: str) -> None:
        """Show how many were played, about how many are to come, and the margin so far."""
        self._progress.update(
            self._task, completed=boards, total=boards + to_come, description=estimate
        )
        if self._rarely.now():
            self._console.print(
                f"{boards} boards, about {to_come} to come; {estimate}", soft_wrap=True
            )


class Screen:
    """The audience at a terminal: a bar for each season that is being played.

    Use it in a `with` block, which removes the bars at its end. The lines of `where` stand below
    the standings whenever no season is played any more.
    """

    def __init__(self, store: Store, console: Printer, where: Sequence[str] = ()) -> None:
        self._where = where
        self._store = store
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[headway]}", markup=False),
            console=console,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._watched: dict[str, _Watched] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop_drawing()

    def say(self, sentence: str) -> None:
        self._console.print(one_line(sentence), soft_wrap=True)

    def say_where(self) -> None:
        for line in self._where:
            self.say(line)

    def tried(self, trial: Tried) -> None:
        """Name a bot that sits out, and what would let it in."""
        if not trial.verdict.ok:
            self.say(f"{trial.version.label} sits out: {trial.verdict.reason}")

    def nothing_due(self, settings: Settings[Any]) -> None:
        """Show the standings if anything has been played."""
        with suppress(UnknownSeason):
            self._console.print(self._table(settings.name))

    def begins(self, season: Season, *, again: bool) -> None:
        how = "resumes" if again else "begins"
        self.say(f"{season.tournament}, season {season.number} {how}")
        self.say(f"  SHA-256 of its seed: {season.commitment}")
        bar = self._bars.add_task(season.tournament, total=None, headway="")
        self._watched[season.tournament] = _Watched(self._store, bar, Rarely(self._console))
        self._bars.start()

    def goes_on(self, headway: Headway) -> None:
        name = headway.season.tournament
        watched = self._watched[name]
        total = None if headway.to_come is None else headway.played + headway.to_come
        said = watched.headway(headway, total)
        self._bars.update(watched.bar, completed=headway.played, total=total, headway=said)
        if watched.rarely.now():
            self.say(f"{name}: {said}")

    def ends(self, season: Season) -> None:
        self.stops(season.tournament)
        self._console.print(self._table(season.tournament))
        if not self._watched:
            self.say_where()

    def stops(self, tournament: str) -> None:
        watched = self._watched.pop(tournament, None)
        if not self._watched:
            self._stop_drawing()
        if watched is not None:
            self._bars.remove_task(watched.bar)

    def _stop_drawing(self) -> None:
        if self._bars.live.is_started:  # else an empty line would be printed
            self._bars.stop()

    def _table(self, tournament: str) -> Table:
        table = standings_with_figures(self._store, tournament)
        return standings_table(table, self._console.width)


class _Watched:
    """A season that is being played: its bar, and what was last said of it."""

    def __init__(self, store: Store, bar: TaskID, rarely: Rarely) -> None:
        self.bar = bar
        self.rarely = rarely
        self._store = store
        self._began = self._next_look = time.monotonic()
        self._pace: Pace | None = None

    def headway(self, headway: Headway, total: int | None) -> str:
        """Say how far it is: "312 of 900 matches, 1200 decisions/s, 0 faults, about 2 h left"."""
        now = time.monotonic()
        if now >= self._next_look:
            self._pace = season_pace(self._store, headway.season.id)
            took = time.monotonic() - now
            self._next_look = now + max(LOOK, PAUSE_FACTOR * took)
        bound = "at most " if headway.at_most else ""
        said = [
            f"{headway.played}{'' if total is None else f' of {bound}{total}'}"
            f" {'match' if (total or headway.played) == 1 else 'matches'}",
            f"{headway.decisions / max(now - self._began, 0.001):.0f} decisions/s",
            f"{headway.faults - headway.forgiven} faults"
            + (f" and {headway.forgiven} forgiven" if headway.forgiven else ""),
        ]
        left = time_left(self._pace, headway.to_come, at_most=headway.at_most)
        return ", ".join([*said, f"{left} left"] if left else said)
