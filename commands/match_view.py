"""A match in a terminal: its games step by step, and its outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from card_arena.commands.console import Printer, Rows, right
from card_arena.common.faults import Fault
from card_arena.common.text import one_line
from card_arena.exhibitions.entries import Table
from card_arena.ratings.match_results import Tally
from card_arena.tables.drawing import show
from card_arena.tables.game import Game
from card_arena.tables.referee import Step
from card_arena.tables.seating import Seating, SeatingPlan, boards

SUIT_COLOURS = {"♥": "red", "♦": "blue", "♣": "green", "★": "magenta"}
"""The colours of suits, and of trumps that are no suit; the fourth suit keeps the terminal's."""


def watcher(
    game: Game,
    names: Sequence[str],
    seating_plan: SeatingPlan,
    console: Printer,
    *,
    reveal: bool = False,
    questions: bool = False,
    key: str = "",
) -> Callable[[int, Step], None]:
    """Make a function that prints every step of a match's games as it happens.

    `names` are those of the line-up's entrants. `reveal` shows what only some seats can see, and
    `questions` what each bot is asked, word by word. `key` is the address of a stored match: its
    questions are numbered, and each fault comes with the command that asks the question again.
    """
    seatings = seating_plan.seatings
    board = boards(seatings)

    def watch(number: int, step: Step) -> None:
        if step.number == 0 and len(seatings) > 1:
            title = f"game {number + 1} of {len(seatings)}"
            again = board[number] in board[:number]
            console.print(f"{title}, the same cards with the seats rotated" if again else title)
        sitting = _seat_names(names, seating_plan, seatings[number])
        if questions and step.turn.question:
            label = f"turn {step.number}" if key else "asked"
            console.print(Text(f"    {label:9} {step.turn.question}"), soft_wrap=True)
        for line in show(game, step, sitting, reveal=reveal, width=console.width):
            print_line(console, line)
            if line.startswith("    answered") and key:
                command = f"arena repro {key} {number + 1} {step.number} ./my_bot"
                console.print(Text(f"    again     {command}"), soft_wrap=True)

    return watch


def print_line(console: Printer, line: str) -> None:
    """Print a line of a drawn table, with coloured suits."""
    console.print(coloured(line), soft_wrap=True)


def coloured(line: str) -> Text:
    """A line of a drawn table with the colours of suits, and faults and the seat to act marked."""
    text = Text(one_line(line))
    for sign, colour in SUIT_COLOURS.items():
        text.highlight_regex(rf"[^\s-]*{sign}", colour)
    text.highlight_regex(rf"\(({'|'.join(Fault)}), .*", "yellow")
    text.highlight_regex(r"^>.*", "bold")
    return text


def _seat_names(names: Sequence[str], seating_plan: SeatingPlan, seating: Seating) -> list[str]:
    """Name every seat of a game, with its number where partners or namesakes sit."""
    sitting = [names[entrant] for entrant in seating]
    partners = len({*seating_plan.sides}) < len(seating)
    if not partners and len({*sitting}) == len(sitting):
        return sitting
    return [f"{name} (seat {seat})" for seat, name in enumerate(sitting)]


def fault_count(faults: int, forgiven: int) -> str:
    """How many faults there were, and how many of them are forgiven: `3`, or `3 (2 forgiven)`."""
    return f"{faults} ({forgiven} forgiven)" if forgiven else str(faults)


def outcome(names: Sequence[str], tallies: Sequence[Tally]) -> Rows:
    table = Rows(right(""), "bot", right("score"), right("hands"), right("faults"))
    for tally, name in sorted(zip(tallies, names, strict=True), key=lambda pair: pair[0].rank):
        figures = (tally.score, tally.hands, fault_count(tally.faults, tally.forgiven))
        struck = " (struck out)" if tally.struck_out else ""
        table.add_row(str(tally.rank), name + struck, *map(str, figures))
    return table


def table_outcome(table: Table) -> Rows | str:
    """The scores of a table's game, or why there are none."""
    if table.scores is None:
        return f"stopped: {table.reason}"
    rows = Rows(right(""), "player", right("score"))
    best = sorted(zip(table.scores, table.titles, strict=True), key=lambda pair: -pair[0])
    for score, name in best:
        rank = 1 + sum(other > score for other, _ in best)
        rows.add_row(str(rank), name, f"{score:+}")
    if board := table.board:
        text = f"{board.bot} scored {board.score:+} in seat {board.seat} of {board.match}"
        rows.caption = text
    return rows
