"""What every legal action comes to with open hands, if both sides play as well as they can."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from card_arena.library.native import core
from card_arena.library.native_state import NativeState
from card_arena.library.rules_state import RulesState
from card_arena.library.state import State
from card_arena.tables.choices import Word, choices
from card_arena.tables.game import CHANCE, Phase, Terminal

MOST = 10**6
"""More than any value."""


class NotSolvable(ValueError):
    """A position that isn't solved; the message says why."""


def solve(state: State) -> dict[int, int]:
    """The value of every legal action, exactly: the points that it brings to the acting side.

    That is how far a seat of this side will be ahead of one of the other side at the end of the
    deal, less how far it is ahead before it, if everybody knows all hands and both sides play for
    that. Raises `NotSolvable` where a game has no two sides or cards are still to be drawn, and
    while anything but a card can be answered: docs/library.md says which positions remain.
    """
    solved = _by_core(state) if isinstance(state, NativeState) else _by_rules(state.rules())
    if solved is None:
        raise NotSolvable(
            "only positions are solved in which two sides play the cards that they hold"
        )
    return solved


class _Table:
    """The core's table of positions."""

    def __init__(self) -> None:
        compiled = core()
        assert compiled is not None, "a native state has a core"
        self.functions = compiled.unlocked
        self.functions.solver_new.restype = ctypes.c_void_p
        self.place = ctypes.c_void_p(self.functions.solver_new())
        if not self.place:
            raise MemoryError("there is no memory for the solver's table")

    def __del__(self) -> None:
        self.functions.solver_free(self.place)


_thread = threading.local()


def _table() -> _Table:
    """The table of this thread, which is freed when the thread has ended."""
    if not hasattr(_thread, "table"):
        _thread.table = _Table()
    table: _Table = _thread.table
    return table


def _by_core(state: NativeState) -> dict[int, int] | None:
    table, count = _table(), len(state.game.actions)
    actions, values = (ctypes.c_uint16 * count)(), (ctypes.c_int32 * count)()
    found = table.functions.solver_solve(table.place, state.where, actions, values)
    return None if found < 0 else dict(zip(actions[:found], values[:found], strict=True))


def _by_rules(state: RulesState) -> dict[int, int] | None:
    """The same by the Python rules: alpha-beta search without a table, for few cards."""
    phase, game = state.phase, state.game
    if isinstance(phase, Terminal):
        return None
    seat, question = phase.to_act, phase.question(phase.to_act)
    sides = game.sides(state.words(seat), phase)
    legal = choices(phase.legal_actions(seat), phase.write)
    actions = {
        str(one): game.numbering.actions(str(one), one) for one in legal if isinstance(one, Word)
    }
    if not sides or len(actions) < len(legal) or any(len(one) > 1 for one in actions.values()):
        return None
    ours, theirs = sorted(sides, key=lambda side: seat not in side)
    search = _Search(game.rules.presentation.projected_scores, ours, theirs)
    scores = [int(score) for score in getattr(question, "scores", "0").split(",")]
    before = search.lead([scores[seat % len(scores)] for seat in range(state.seats)])
    return {
        actions[str(word)][0]: search.value(after, -MOST, MOST) - before
        for word, after in search.following(phase)
    }


class _Search(NamedTuple):
    """A search for the side of `ours`."""

    scores: Callable[[Phase | Terminal], Sequence[int] | None]
    ours: Sequence[int]
    theirs: Sequence[int]

    def lead(self, scores: Sequence[int]) -> int:
        """How far a seat of ours is ahead of one of theirs."""
        return scores[self.ours[0]] - scores[self.theirs[0]]

    def following(self, phase: Phase) -> Iterator[tuple[Word, Phase | Terminal]]:
        """Every answer that is one word, and the position after it."""
        for choice in choices(phase.legal_actions(phase.to_act), phase.write):
            if isinstance(choice, Word):
                yield choice, phase.apply(phase.read(choice.answer))[0]

    def value(self, phase: Phase | Terminal, low: int, high: int) -> int:
        """The lead at the end of the deal, or a bound of it outside `low` and `high`."""
        if isinstance(phase, Terminal):
            return self.lead(phase.scores)
        if phase.to_act == CHANCE:
            scores = self.scores(phase)
            assert scores is not None, "a deal is over"
            return self.lead(scores)
        raises = phase.to_act in self.ours
        best = -MOST if raises else MOST
        for _, after in self.following(phase):
            found = self.value(after, low, high)
            best = max(best, found) if raises else min(best, found)
            low, high = (max(low, best), high) if raises else (low, min(high, best))
            if low >= high:
                break
        return best
