"""A readable account of one random game: question, answer, table. Run it to write them anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from card_arena.tables.drawing import draw
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Game
from card_arena.tables.legal_actions import describe
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps

SEED = 2011
FIRST, LAST = 120, 20
"""The turns of a long game that are told: so many from its beginning and so many from its end."""


def playthrough(game: Game) -> Iterator[str]:
    """Tell a game that is played at random with as many seats as it has."""
    names = [f"seat {seat}" for seat in range(game.seats[-1])]
    yield f"{game.title}, rules version {game.version}, seed {SEED}"
    steps = random_steps(game, len(names), SEED)
    for step in steps:
        if FIRST <= step.number < len(steps) - LAST:
            continue
        yield ""
        if step.number == len(steps) - LAST > FIRST:
            yield f"... {len(steps) - LAST - FIRST} turns later"
        if step.turn.seat == CHANCE:
            yield f"the dealer: {step.turn.action}"
        else:
            asked = words(step.before.question(step.turn.seat))
            yield f"{names[step.turn.seat]} is asked {' '.join(asked)}"
            legal = step.before.legal_actions(step.turn.seat)
            yield f"{names[step.turn.seat]} may say {describe(legal.outline(step.before.write))}"
            yield f"{names[step.turn.seat]} answers {step.turn.action}"
        yield from (f"# {notices}" for notices in step.notices)
        yield from draw(game.presentation.scene(step.after), names)


if __name__ == "__main__":
    for game in GAMES.values():
        page = Path(__file__).parent.parent / "golden" / f"{game.name}.txt"
        page.write_text("\n".join(playthrough(game)) + "\n")
        print(f"wrote {page}")
