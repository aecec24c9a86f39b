"""The other side of the protocol, scripted: who asks what, what is answered, nothing left over."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from card_arena.common.faults import Facts
from card_arena.tables.cards import FULL_PACK, Card
from card_arena.tables.dealing import Packs
from card_arena.tables.game import CHANCE, Game, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.record import Turn
from card_arena.tables.referee import Step, play


@dataclass(frozen=True)
class Said:
    """What a player gave back."""

    line: str | None
    fault: str | None = None
    code: str = ""
    facts: Facts = field(default_factory=dict)
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0


SILENT = Said(None, "timeout", "no-answer", {"microseconds": 1_000_000})


@dataclass
class Scripted:
    """Expects exactly these questions in turn and gives these answers."""

    lines: list[tuple[str, str | Said]]
    told: list[str] = field(default_factory=list)

    def ask(self, words: Sequence[str]) -> Said:
        assert self.lines, f"nobody expected to be asked {' '.join(words)!r}"
        expected, answer = self.lines.pop(0)
        assert " ".join(words) == expected
        return answer if isinstance(answer, Said) else Said(answer)

    def tell(self, line: str) -> None:
        self.told.append(line)


@dataclass
class Always:
    """Gives the same answer whatever it is asked, and remembers the questions."""

    answer: str | Said
    asked: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def ask(self, words: Sequence[str]) -> Said:
        self.asked.append(" ".join(words))
        return self.answer if isinstance(self.answer, Said) else Said(self.answer)

    def tell(self, line: str) -> None:
        self.told.append(line)


@dataclass
class Rigged:
    """A dealer whose packs begin with these ranks; the rest of each pack follows in order."""

    packs: list[str]

    def deal(self, choice: Any) -> Any:
        return rigged(self.packs.pop(0)) if isinstance(choice, Order) else choice.fallback_action


def rigged(ranks: str) -> tuple[Card, ...]:
    """A full pack that begins with these ranks: `rigged("K 6 9")`."""
    rest = list(FULL_PACK)
    top = []
    for rank in ranks.replace(" ", ""):
        top.append(next(card for card in rest if card.rank == rank))
        rest.remove(top[-1])
    return (*top, *rest)


def random_steps(game: Game, seats: int, seed: int, **options: Any) -> list[Step]:
    """A whole game by legal actions taken at random, as the rules alone play it."""
    rng = random.Random(seed)
    phase = game.start(game.options(**options), seats)
    steps: list[Step] = []
    packs = Packs(seed.to_bytes(32, "big"), "random")
    while not isinstance(phase, Terminal):
        choice = phase.legal_actions(phase.to_act)
        action = packs.deal(choice) if phase.to_act == CHANCE else choice.sample(rng)
        after, notices = phase.apply(action)
        steps.append(Step(len(steps), _turn(phase, action), phase, after, tuple(notices)))
        phase = after
    return steps


def _turn(phase: Any, action: Any) -> Turn:
    return Turn(phase.to_act, phase.write(action))


def play_scripted(
    game: Game,
    packs: Iterable[str],
    scripts: Sequence[Sequence[tuple[str, str]]],
    purses: Sequence[int] = (),
    strikes: Any = None,
    **options: Any,
) -> Any:
    """Play with rigged packs and scripted bots, and see that every script was used up."""
    players = [Scripted(list(script)) for script in scripts]
    extra = {} if strikes is None else {"strikes": strikes}
    record = play(
        game, game.options(**options), players, Rigged(list(packs)), purses=purses, **extra
    )
    assert [player.lines for player in players] == [[]] * len(players), "questions never asked"
    return record
