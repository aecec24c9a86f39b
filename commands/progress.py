"""Progress: a bar in a terminal, and a line now and then where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from card_arena.commands.console import Printer
from card_arena.commands.standings_table import standings_table
from card_arena.common.text import one_line
from card_arena.leaderboard.seasons import UnknownSeason, season_pace, spoken, time_left
from card_arena.leaderboard.standings import standings_with_figures
from card_arena.ratings.pace import Pace
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tournament.play.lineup import Tried
from card_arena.tournament.play.season import PAUSE_FACTOR, Headway
from card_arena.tournament.settings import Settings
from card_arena.verify.verify import Headway as Verified

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
    """A bar that is drawn in a terminal while its `with` block lasts, which removes it."""

    def __init__(self, console: Printer, *columns: ProgressColumn, total: int | None) -> None:
        self._console = console
        self._rarely = Rarely(console)
        self._progress = Progress(
            *columns,
            console=console,
            transient=True,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._task = self._progress.add_task("", total=total)

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

    def _draw(self, line: str, **fields: Any) -> None:
        """Draw the bar with these fields; outside a terminal print the line, now and then."""
        self._progress.update(self._task, **fields)
        if self._rarely.now():
            self._console.print(line, soft_wrap=True)


class Counter(Bar):
    """Counts up to a known number."""

    def __init__(self, console: Printer, what: str, total: int) -> None:
        self._what = what
        self._total = total
        columns = (
            TextColumn(what, markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
        )
        super().__init__(console, *columns, total=total)

    def count(self, done: int) -> None:
        self._draw(f"{done} of {self._total} {self._what}", completed=done)


class Stages(Bar):
    """Counts several things one after another."""

    def __init__(self, console: Printer) -> None:
        what = TextColumn("{task.description}", markup=False)
        super().__init__(console, what, BarColumn(bar_width=20), MofNCompleteColumn(), total=None)

    def count(self, what: str, done: int, total: int) -> None:
        self._draw(f"{done} of {total} {what}", description=what, completed=done, total=total)


class Narrowing(Bar):
    """Counts the boards of a comparison, whose number is estimated while they are played."""

    def __init__(self, console: Printer) -> None:
        columns = (
            BarColumn(bar_width=20),
            TextColumn("{task.completed} of about {task.total} boards", markup=False),
            TimeRemainingColumn(compact=True),
            TextColumn("left; {task.description}", markup=False),
        )
        super().__init__(console, *columns, total=None)

    def show(self, boards: int, to_come: int, estimate: str) -> None:
        """Show the boards that were played, about how many are to come, and the margin so far."""
        self._draw(
            f"{boards} boards, about {to_come} to come; {estimate}",
            completed=boards,
            total=boards + to_come,
            description=estimate,
        )


class Checking(Bar):
    """Counts the matches that were verified, and says how long the rest takes."""

    def __init__(self, console: Printer, total: int) -> None:
        self._total = total
        self._before = 0
        self._fresh = 0
        self._season = Verified("", 0, 0, 0, 0)
        self._began = time.monotonic()
        text = TextColumn("{task.description}", markup=False)
        super().__init__(console, BarColumn(bar_width=20), text, total=total)

    def show(self, headway: Verified) -> None:
        last = self._season
        if (last.tournament, last.number) != (headway.tournament, headway.number):
            self._before += last.matches
            last = Verified(headway.tournament, headway.number, 0, 0, headway.total)
        self._fresh += (headway.matches - headway.earlier) - (last.matches - last.earlier)
        self._season = headway
        text = self.text(time.monotonic() - self._began)
        self._draw(text, completed=self.checked, description=text)

    @property
    def checked(self) -> int:
        """The number of verified matches, in this run or before."""
        return self._before + self._season.matches

    def text(self, seconds: float) -> str:
        """The progress in words: "1,200 of 9,000 matches checked, 64 a second, about 2 min left".

        Matches that were verified in an earlier run don't count for the speed.
        """
        text = f"{self.checked:,} of {self._total:,} matches checked"
        if not self._fresh or seconds < 1:
            return text
        a_second = self._fresh / seconds
        left = spoken(timedelta(seconds=max(0, self._total - self.checked) / a_second))
        about = "" if left.startswith("less") else "about "
        return f"{text}, {a_second:,.0f} a second, {about}{left} left"


class _HeadwayColumn(ProgressColumn):
    """The progress of a season, cut where it is too long for the terminal; the name is not."""

    def render(self, task: Task) -> Text:
        return Text(task.fields["headway"], no_wrap=True, overflow="ellipsis")


class Screen:
    """The audience at a terminal: a bar for each season that is being played.

    Use it in a `with` block, which removes the bars at its end. The lines of `where` are printed
    below the standings when the last season is over.
    """

    def __init__(self, store: Store, console: Printer, where: Sequence[str] = ()) -> None:
        self._where = where
        self._store = store
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            _HeadwayColumn(),
            console=console,
            redirect_stdout=REDIRECTED,
            redirect_stderr=REDIRECTED,
        )
        self._watched: dict[int, _Watched] = {}

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
        """Name a bot that sits out, and the reason."""
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
        rarely = Rarely(self._console)
        self._watched[season.id] = _Watched(self._store, season.tournament, bar, rarely)
        self._bars.start()

    def advances(self, headway: Headway) -> None:
        name = headway.season.tournament
        watched = self._watched[headway.season.id]
        total = None if headway.to_come is None else headway.played + headway.to_come
        text = watched.headway(headway, total)
        self._bars.update(watched.bar, completed=headway.played, total=total, headway=text)
        if watched.rarely.now():
            self.say(f"{name}: {text}")

    def ends(self, season: Season) -> None:
        self._stop(season.id)
        self._console.print(self._table(season.tournament, season.number))
        if not self._watched:
            self.say_where()

    def stops(self, tournament: str) -> None:
        for season_id, watched in [*self._watched.items()]:
            if watched.tournament == tournament:
                self._stop(season_id)

    def _stop(self, season_id: int) -> None:
        watched = self._watched.pop(season_id, None)
        if not self._watched:
            self._stop_drawing()
        if watched is not None:
            self._bars.remove_task(watched.bar)

    def _stop_drawing(self) -> None:
        if self._bars.live.is_started:  # else an empty line would be printed
            self._bars.stop()

    def _table(self, tournament: str, number: int | None = None) -> Table:
        table = standings_with_figures(self._store, tournament, number)
        return standings_table(table, self._console.width)


class _Watched:
    """A season that is being played: its bar, and its pace."""

    def __init__(self, store: Store, tournament: str, bar: TaskID, rarely: Rarely) -> None:
        self.tournament = tournament
        self.bar = bar
        self.rarely = rarely
        self._store = store
        self._began = self._next_look = time.monotonic()
        self._pace: Pace | None = None

    def headway(self, headway: Headway, total: int | None) -> str:
        """The progress: "312 of 900 matches, 1200 decisions/s, 0 faults, about 2 h left"."""
        now = time.monotonic()
        if now >= self._next_look:
            self._pace = season_pace(self._store, headway.season.id)
            took = time.monotonic() - now
            self._next_look = now + max(LOOK, PAUSE_FACTOR * took)
        bound = "at most " if headway.at_most else ""
        parts = [
            f"{headway.played}{'' if total is None else f' of {bound}{total}'}"
            f" {'match' if (total or headway.played) == 1 else 'matches'}",
            f"{headway.decisions / max(now - self._began, 0.001):.0f} decisions/s",
            f"{headway.faults - headway.forgiven} faults"
            + (f" and {headway.forgiven} forgiven" if headway.forgiven else ""),
        ]
        left = time_left(self._pace, headway.to_come, at_most=headway.at_most)
        return ", ".join([*parts, f"{left} left"] if left else parts)
