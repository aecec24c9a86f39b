"""A game in a terminal, stepped through with keys or played by itself."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click
from rich.text import Text

from card_arena.commands.console import Printer
from card_arena.commands.match_view import coloured
from card_arena.leaderboard.web.replays import CARD, HELD, PairedTables, Replay
from card_arena.tables.drawing import draw, narrate

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 10.0)

KEYS = {
    " ": "play",
    "\x1b[D": "back",
    "\x1b[C": "on",
    ",": "stage-back",
    ".": "stage-on",
    "\x1b[H": "start",
    "\x1b[1~": "start",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "+": "faster",
    "-": "slower",
    "q": "quit",
    "\x04": "quit",
}
"""What keys send, and the names of what they do."""

HELP = "space plays, ← → a card, , . a trick, home end, + - speed, q quits"


@dataclass
class Viewer:
    """The state of the screen: one table, or two tables of a board in step."""

    shown: Replay | PairedTables
    step: int
    playing: bool = False
    speed: float = 1.0

    def turns(self) -> Sequence[tuple[Replay, int]]:
        """The replays that are shown, each with its turn."""
        if isinstance(self.shown, Replay):
            return [(self.shown, self.step)]
        return [*zip(self.shown.replays, self.shown.steps[self.step].turns, strict=True)]

    def act(self, name: str) -> bool:
        """Do what a key stands for; False if the viewer is to end."""
        stops, last = self.shown.stops, self.shown.length - 1
        targets: Mapping[str, int] = {
            "back": max(0, self.step - 1),
            "on": min(last, self.step + 1),
            "stage-back": max((stop for stop in stops if stop < self.step), default=0),
            "stage-on": min((stop for stop in stops if stop > self.step), default=last),
            "start": 0,
            "end": last,
        }
        if name in targets:
            self.step, self.playing = targets[name], False
        elif name == "play":
            self.playing = not self.playing
            self.step = 0 if self.playing and self.step == last else self.step
        elif name in ("faster", "slower"):
            place = SPEEDS.index(self.speed) + (1 if name == "faster" else -1)
            self.speed = SPEEDS[max(0, min(place, len(SPEEDS) - 1))]
        return name != "quit"

    def wait(self) -> float | None:
        """Seconds until the next step, None while it is not playing."""
        if not self.playing:
            return None
        return (HELD if self.step in self.shown.holds else CARD) / self.speed

    def advance(self) -> None:
        """Show the next step, if there is one."""
        self.step = min(self.shown.length - 1, self.step + 1)
        self.playing = self.step < self.shown.length - 1

    def lines(self, width: int) -> Iterator[str]:
        """Draw the screen."""
        for number, (replay, turn) in enumerate(self.turns()):
            described = replay.turns[turn]
            if number:
                yield ""
            yield from draw(described.after, replay.names, reveal=True, width=width)
            yield from narrate(replay.game, described.step, replay.names, reveal=True)[:1]
            if described.remark:
                yield described.remark
        if isinstance(self.shown, PairedTables):
            parted = self.shown.steps[self.step].parted
            if parted is not None:
                yield f"The tables part here: {abs(parted):g} points."
        playing = f"playing at {self.speed:g}×" if self.playing else f"speed {self.speed:g}×"
        yield ""
        yield f"step {self.step + 1} of {self.shown.length}, {playing}: {HELP}"


def watch(shown: Replay | PairedTables, console: Printer) -> None:
    """Show a game until the reader quits; raises `click.UsageError` without a terminal."""
    if not (sys.stdin.isatty() and console.is_terminal):
        raise click.UsageError("--watch needs a terminal; without it, the match is printed")
    viewer = Viewer(shown, shown.opening if isinstance(shown, Replay) else 0)
    with _keys() as read, console.screen(style="") as screen:
        while True:
            screen.update(Text("\n").join(map(coloured, viewer.lines(console.width))))
            keys = read(viewer.wait())
            if not keys:
                viewer.advance()
            elif not all(viewer.act(KEYS[key]) for key in keys if key in KEYS):
                return


@contextmanager
def _keys() -> Iterator[Callable[[float | None], Sequence[str]]]:
    """Read keys from the terminal: a function of the most seconds to wait.

    At the end of standard input it returns the key that quits.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def read(seconds: float | None) -> Sequence[str]:
        if not select.select([terminal], [], [], seconds)[0]:
            return ()
        text = os.read(terminal, 64).decode(errors="ignore")
        return re.findall(r"\x1b\[[0-9;]*[A-Za-z~]|.", text) or "q"

    try:
        tty.setcbreak(terminal)
        yield read
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
