"""The tables of the bench by name: their headings, and what measures their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.tests.bench.comparing import HEADINGS as COMPARING
from card_arena.tests.bench.comparing import comparing_rows
from card_arena.tests.bench.first_strength import HEADINGS as FIRST_STRENGTH
from card_arena.tests.bench.first_strength import strength_rows
from card_arena.tests.bench.formats import HEADINGS as FORMATS
from card_arena.tests.bench.formats import format_rows
from card_arena.tests.bench.games import game_rows, pyspiel_rows
from card_arena.tests.bench.hangs import HEADINGS as HANGING
from card_arena.tests.bench.hangs import gone_rows, hang_rows
from card_arena.tests.bench.imports import import_rows
from card_arena.tests.bench.languages import HEADINGS as LANGUAGES
from card_arena.tests.bench.languages import language_rows
from card_arena.tests.bench.library import HEADINGS as LIBRARY
from card_arena.tests.bench.library import library_rows
from card_arena.tests.bench.long_seasons import HEADINGS as LONG_SEASONS
from card_arena.tests.bench.long_seasons import long_rows
from card_arena.tests.bench.luck import HEADINGS as LUCK
from card_arena.tests.bench.luck import luck_rows
from card_arena.tests.bench.readers import reader_rows
from card_arena.tests.bench.sandboxes import sandbox_rows
from card_arena.tests.bench.scale import HEADINGS as SCALE
from card_arena.tests.bench.scale import scale_rows
from card_arena.tests.bench.sizes import HEADINGS as SIZES
from card_arena.tests.bench.sizes import size_rows
from card_arena.tests.bench.solver import HEADINGS as SOLVER
from card_arena.tests.bench.solver import solver_rows
from card_arena.tests.bench.spectators import spectator_rows
from card_arena.tests.bench.timing import Row
from card_arena.tests.bench.tournaments import tournament_rows
from card_arena.tests.bench.whispers import HEADINGS as WHISPERS
from card_arena.tests.bench.whispers import KINDS, whisper_rows

COSTS = ("what", "median", "ratio", "target")


@dataclass(frozen=True, slots=True)
class Table:
    """One table: `rows` measures it, given how many questions of each kind are to be asked.

    `sandboxes` are the kinds of sandboxes that it needs.
    """

    headings: tuple[str, ...]
    rows: Callable[[int], Iterator[Sequence[str]]]
    one_core: bool = False
    sandboxes: tuple[str, ...] = ("bubblewrap",)

    def missing(self) -> str | None:
        """Say why a part of it can't be measured here; None where all of it can be."""
        try:
            for kind in self.sandboxes:
                backend(kind).fingerprint((), "")
        except BackendMissing as error:
            return str(error)
        return None


def _games(rounds: int) -> Iterator[Row]:
    yield from game_rows(max(3, rounds // 20), seconds=3.0)
    yield from pyspiel_rows(max(3, rounds // 10))


TABLES: Mapping[str, Table] = {
    "sandboxes": Table(COSTS, sandbox_rows, one_core=True, sandboxes=KINDS),
    "bombs": Table(COSTS, lambda rounds: gone_rows(max(10, rounds // 20)), sandboxes=KINDS),
    "games": Table(COSTS, _games, one_core=True),
    "tournaments": Table(COSTS, lambda _: tournament_rows(legs=4, seasons=2)),
    "formats": Table(FORMATS, lambda _: format_rows(), one_core=True, sandboxes=()),
    "first-strength": Table(FIRST_STRENGTH, lambda _: strength_rows(), sandboxes=()),
    "readers": Table(COSTS, lambda _: reader_rows(legs=4, seasons=5)),
    "spectators": Table(COSTS, lambda _: spectator_rows(legs=8, seasons=2), one_core=True),
    "scale": Table(SCALE, lambda _: scale_rows(), one_core=True, sandboxes=()),
    "imports": Table(COSTS, lambda rounds: import_rows(max(10, rounds // 10)), sandboxes=()),
    "library": Table(LIBRARY, library_rows, one_core=True, sandboxes=()),
    "long-seasons": Table(LONG_SEASONS, lambda _: long_rows(), sandboxes=()),
    "comparing": Table(COMPARING, lambda _: comparing_rows(), sandboxes=()),
    "hangs": Table(HANGING, lambda _: hang_rows(), sandboxes=KINDS),
    "languages": Table(
        LANGUAGES, lambda rounds: language_rows(max(20, rounds // 10)), one_core=True
    ),
    "luck": Table(LUCK, luck_rows, sandboxes=()),
    "sizes": Table(SIZES, lambda _: size_rows(), sandboxes=()),
    "solver": Table(
        SOLVER, lambda rounds: solver_rows(max(10, rounds // 6)), one_core=True, sandboxes=()
    ),
    "whispers": Table(WHISPERS, lambda _: whisper_rows(), one_core=True, sandboxes=KINDS),
}
