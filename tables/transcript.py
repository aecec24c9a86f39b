"""A game's example, played and written line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from card_arena.common.faults import Facts
from card_arena.tables.game import CHANCE, Game
from card_arena.tables.legal_actions import Action, LegalActions, Order
from card_arena.tables.options import changed_options
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, play


@dataclass(frozen=True, slots=True)
class _Reply:
    """A scripted answer, in the shape of a reply."""

    line: str
    fault: None = None
    code: str = ""
    facts: Facts = field(default_factory=dict)
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class _Script:
    """Every player of an example: answers with the next line of the script, in any seat."""

    answers: Iterator[str]
    cards: str

    def ask(self, _: Sequence[str]) -> _Reply:
        return _Reply(next(self.answers))

    def tell(self, line: str) -> None:
        """Ignore the notice: the transcript shows it once, not once per seat."""

    def deal(self, choice: LegalActions) -> Action:
        """Put the example's cards on top of the pack."""
        if not isinstance(choice, Order):
            return choice.fallback_action
        top = choice.read(self.cards)
        return (*top, *(card for card in choice.pack if card not in top))


def play_example(game: Game, watch: Callable[[Step], None]) -> Record:
    """Play the game's own example; `watch` is called with every step."""
    example = game.example
    script = _Script(iter(example.answers), example.cards)
    return play(game, example.options, [script] * example.seats, script, watch=watch)


def transcript(game: Game) -> list[str]:
    """Play the game's own example and list it line by line.

    The lines are its rules, options and pack, then every question with its answer and every notice,
    and last the scores. They are enough to play it again.
    """
    example = game.example
    options = ", ".join(changed_options(example.options)).replace("`", "") or "the defaults"
    lines = [
        f"{'the game':16}  {game.name}, rules version {game.version}, {example.seats} seats",
        f"{'the options':16}  {options}",
        f"{'the pack':16}  {example.cards} ...",
    ]
    names = [f"seat {seat}" for seat in range(example.seats)]

    def watch(step: Step) -> None:
        if step.turn.seat != CHANCE:
            lines.append(f"{f'seat {step.turn.seat} is asked':16}  {step.turn.question}")
            lines.append(f"{'       answers':16}  {step.turn.action}")
        lines.extend(f"{'all are told':16}  # {notices}" for notices in step.notices)
        if remark := game.presentation.remark(step.before, step.after, names):
            lines.append(f"{'':16}  ({remark})")

    record = play_example(game, watch)
    scores = ", ".join(f"seat {seat} {n:+}" for seat, n in enumerate(record.over.scores))
    return [*lines, f"{'the scores':16}  {scores}"]
