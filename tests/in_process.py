"""Games played within this process, thousands at a time: for figures that need many of them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Game, IllegalAction, MalformedAnswer, Phase, Terminal

BOTS = Path(__file__).parents[1] / "bots"

Answer = Callable[[list[str]], str]
"""A bot: from the words of a question to its line."""


def house_bot(game: str, name: str) -> Answer:
    """The `answer` of a house bot in Python, with a library of its own."""
    folder = str(BOTS / game / name)
    kept = {each: sys.modules.pop(each) for each in [*sys.modules] if _is_a_bots(each)}
    sys.path.insert(0, folder)
    try:
        answer: Answer = importlib.import_module("bot").answer
    finally:
        sys.path.remove(folder)
        for each in [each for each in sys.modules if _is_a_bots(each)]:
            del sys.modules[each]
        sys.modules.update(kept)
    return answer


def _is_a_bots(module: str) -> bool:
    return module.partition(".")[0] in ("bot", "lib")


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: its end, and the luck of every seat in thousandths."""

    over: Terminal
    luck: tuple[int, ...]


def played(game: Game, options: Any, seated: Sequence[Answer], packs: Packs) -> Played:
    """Play a game; an answer that is none is played by the fallback action."""
    phase: Phase | Terminal = game.start(options, len(seated))
    luck = [0] * len(seated)
    while not isinstance(phase, Terminal):
        seat = phase.to_act
        legal = phase.legal_actions(seat)
        if seat == CHANCE:
            action = packs.deal(legal)
        else:
            try:
                action = phase.read(seated[seat](list(words(phase.question(seat)))))
            except MalformedAnswer:
                action = legal.fallback_action
        try:
            after, _ = phase.apply(action)
        except IllegalAction:
            after, _ = phase.apply(legal.fallback_action)
        for each, gained in enumerate(game.statistics.luck(phase, after)):
            luck[each] += gained
        phase = after
    return Played(phase, tuple(luck))


def draws_below(limit: int) -> Answer:
    """The simplest player of blackjack, with a flat stake."""
    return lambda asked: "H" if int(asked[0]) < limit else "S"


def bets_when_ahead(limit: int) -> Answer:
    """Draws below a limit, then stakes a fifth of its chips on 19 or more."""

    def answer(asked: list[str]) -> str:
        score, _, _, stake, chips = asked
        if int(score) < limit:
            return "H"
        raised = int(stake) > 10 or int(score) < 19 or int(chips) < 5
        return "S" if raised else f"B {int(chips) // 5}"

    return answer
