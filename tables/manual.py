"""The generated half of the documentation: questions and answers, described from the code.

A generated block of a page stands between two comments, `<!-- begin NAME -->` and
`<!-- end NAME -->`. `render` fills in all of them; a test renders the pages again and compares,
so that the contract with the bots' authors can't rot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from common.text import markdown_cell
from tables.choices import Action, Choice, Order
from tables.encoding import word_fields
from tables.game import CHANCE, FallbackAction, Game, Notice
from tables.referee import Step, play

_BLOCK = re.compile(
    r"(?P<head><!-- begin (?P<name>[^>]+?) -->\n)(?P<body>.*?)(?P<foot><!-- end (?P=name) -->)",
    re.DOTALL,
)


class UnknownBlock(LookupError):
    """A page contains a block that does not exist; the message names it."""


def render(page: str, blocks: Mapping[str, Callable[[], str]]) -> str:
    """Fill every block of a page; raises `UnknownBlock` for one that isn't among `blocks`."""

    def fill(match: re.Match[str]) -> str:
        if match["name"] not in blocks:
            raise UnknownBlock(f"nothing is known about the block {match['name']!r}")
        return f"{match['head']}\n{blocks[match['name']]().strip()}\n\n{match['foot']}"

    return _BLOCK.sub(fill, page)


def standing(page: str) -> dict[str, str]:
    """Return every block of a page by its name, as it is now."""
    return {match["name"]: match["body"].strip() for match in _BLOCK.finditer(page)}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    cells = (map(markdown_cell, line) for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def game_block(game: Game) -> str:
    """Write everything that a bot's author must know about one game, as Markdown."""
    return "\n\n".join(_sections(game))


def _sections(game: Game) -> Iterator[str]:
    seats = f"{game.seats_text} seats"
    yield f"{cleandoc(game.__doc__ or '')} Rules version {game.version}, {seats}."
    yield "## The question"
    for question in (*game.questions, *((game.prefixed,) if game.prefixed else ())):
        yield f"{cleandoc(question.__doc__ or '')} {len(word_fields(question))} words:"
        yield table(
            ("word", "name", "type", "meaning", "example"),
            [
                (
                    str(n),
                    f"`{item.name}`",
                    item.metadata["kind"],
                    item.metadata["means"],
                    f"`{item.metadata['example']}`",
                )
                for n, item in enumerate(word_fields(question), 1)
            ],
        )
    yield _packs(game)
    yield "## The answers"
    yield table(("answer", "meaning"), [(f"`{form}`", text) for form, text in game.answers.items()])
    for phase, count in game.several.items():
        yield (
            f"In the phase `{phase}` an answer is {count} of the words of `legal`, joined by"
            f" commas; the first {count} always are one."
        )
    yield "## The notices"
    yield "`stdin` bots are sent these lines, which begin with `# ` and expect no answer."
    yield table(
        ("notice", "when it is sent, and its words"),
        [(f"`# {specimen(notice)}`", _explained(notice)) for notice in game.notices],
    )
    yield "## The options"
    yield "The first value of each option is its default."
    yield table(
        ("option", "values", "meaning"),
        [
            (f"`{name}`", _values(info), info.description or "")
            for name, info in game.options.model_fields.items()
        ],
    )
    yield "Presets are named sets of options:"
    yield table(
        ("preset", "options"),
        [
            (f"`{name}`", ", ".join(_differences(preset)) or "the defaults")
            for name, preset in game.presets.items()
        ],
    )


def fallback_actions_block(games: Iterable[Game]) -> str:
    """Write the fallback actions that are not the first legal answer."""
    return table(
        ("game", "phase", "fallback action"),
        [
            (
                game.title,
                ", ".join(f"`{phase}`" for phase in phases if phase) or "every",
                f"`{fallback_action.answer}`: {fallback_action.meaning}"
                if fallback_action.answer
                else f"none: {fallback_action.meaning}",
            )
            for game in games
            for fallback_action, phases in _by_fallback_action(game).items()
        ],
    )


def _by_fallback_action(game: Game) -> Mapping[FallbackAction, Sequence[str]]:
    """The phases, grouped by fallback action."""
    found: dict[FallbackAction, list[str]] = {}
    for phase, fallback_action in game.fallback_actions.items():
        found.setdefault(fallback_action, []).append(phase)
    return found


def _packs(game: Game) -> str:
    """Name the pack that the first shuffle starts from, unless options change it."""
    first = game.start(game.options(), game.seats[-1]).legal_actions(CHANCE)
    assert isinstance(first, Order), "a game begins with a shuffle"
    return f"Packs are shuffled from this order: `{','.join(first.pack)}`."


def specimen(notice: type[Notice]) -> Notice:
    """Make an example of this kind of notice."""
    return notice(**{item.name: item.metadata["example"] for item in word_fields(notice)})


def _explained(notice: type[Notice]) -> str:
    parts = (f"{item.name}: {item.metadata['means']}" for item in word_fields(notice))
    return f"{cleandoc(notice.__doc__ or '')} {'; '.join(parts)}."


def option_values(info: FieldInfo) -> tuple[str, tuple[str, ...]]:
    """An option's default and its other values, as a tournament's file writes them.

    For a number the other values are its range, such as `1 to 1000`.
    """
    if isinstance(info.default, bool):
        return said(info.default), (said(not info.default),)
    if get_origin(info.annotation) is Literal:
        rest = tuple(said(v) for v in get_args(info.annotation) if v != info.default)
        return said(info.default), rest
    bounds = {key: value for m in info.metadata for key, value in _bounds(m)}
    return said(info.default), (f"{bounds['ge']} to {bounds['le']}",)


def said(value: object) -> str:
    """Write an option's value as a tournament's file does."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(info: FieldInfo) -> str:
    default, others = option_values(info)
    if " to " in others[0]:
        return f"`{default}` ({others[0]})"
    return ", ".join(f"`{word}`" for word in (default, *others))


def _bounds(metadata: object) -> Iterator[tuple[str, Any]]:
    for key in ("ge", "le"):
        if hasattr(metadata, key):
            yield key, getattr(metadata, key)


def _differences(preset: BaseModel) -> Iterator[str]:
    for name, info in type(preset).model_fields.items():
        if getattr(preset, name) != info.default:
            yield f"`{name}: {said(getattr(preset, name))}`"


@dataclass(frozen=True, slots=True)
class _Said:
    """A scripted answer, in the shape of a reply."""

    line: str
    fault: None = None
    detail: str = ""
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class _Script:
    """Every player of an example: answers with the next line of the script, in any seat."""

    answers: Iterator[str]
    cards: str

    def ask(self, _: Sequence[str]) -> _Said:
        return _Said(next(self.answers))

    def tell(self, line: str) -> None:
        """Ignore the notice: the transcript shows it once, not once per seat."""

    def deal(self, choice: Choice) -> Action:
        """Put the example's cards on top of the pack."""
        if not isinstance(choice, Order):
            return choice.fallback_action
        top = choice.read(self.cards)
        return (*top, *(card for card in choice.pack if card not in top))


def transcript(game: Game) -> list[str]:
    """Play the game's own example and list it line by line.

    The lines are its rules, options and pack, then every question with its answer and every notice,
    and last the scores. They are enough to play it again.
    """
    example = game.example
    script = _Script(iter(example.answers), example.cards)
    options = ", ".join(_differences(example.options)).replace("`", "") or "the defaults"
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

    record = play(game, example.options, [script] * example.seats, script, watch=watch)
    scores = ", ".join(f"seat {seat} {n:+}" for seat, n in enumerate(record.over.scores))
    return [*lines, f"{'the scores':16}  {scores}"]


def excerpt_block(game: Game, first: int, last: int) -> str:
    """Write some lines of the game's transcript, counted from 1, between code fences."""
    return "\n".join(["```text", *transcript(game)[first - 1 : last], "```"])
