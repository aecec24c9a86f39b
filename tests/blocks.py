"""Generated blocks of the documentation: questions and answers, described from the code.

A generated block of a page stands between two comments, `<!-- begin NAME -->` and
`<!-- end NAME -->`. `render` fills in all of them; a test renders the pages again and compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc

from pydantic.fields import FieldInfo

from card_arena.common.text import markdown_table
from card_arena.tables.encoding import specimen, word_fields
from card_arena.tables.game import CHANCE, FallbackAction, Game, Notice
from card_arena.tables.legal_actions import Order
from card_arena.tables.options import changed_options, option_values
from card_arena.tables.transcript import transcript

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


def game_block(game: Game) -> str:
    """Write everything that a bot's author must know about one game, as Markdown."""
    return "\n\n".join(_sections(game))


def _sections(game: Game) -> Iterator[str]:
    seats = f"{game.seats_text} seats"
    yield f"{cleandoc(game.__doc__ or '')} Rules version {game.version}, {seats}."
    yield "## The question"
    for question in (*game.questions, *((game.prefixed,) if game.prefixed else ())):
        yield f"{cleandoc(question.__doc__ or '')} {len(word_fields(question))} words:"
        yield markdown_table(
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
    yield markdown_table(
        ("answer", "meaning"), [(f"`{form}`", text) for form, text in game.answers.items()]
    )
    for phase, count in game.several.items():
        yield (
            f"In the phase `{phase}` an answer is {count} of the words of `legal`, joined by"
            f" commas; the first {count} always are one."
        )
    yield "## The notices"
    yield "`stdin` bots are sent these lines, which begin with `# ` and expect no answer."
    yield markdown_table(
        ("notice", "when it is sent, and its words"),
        [(f"`# {specimen(notice)}`", _explained(notice)) for notice in game.notices],
    )
    yield "## The options"
    yield "The first value of each option is its default."
    yield markdown_table(
        ("option", "values", "meaning"),
        [
            (f"`{name}`", _values(info), info.description or "")
            for name, info in game.options.model_fields.items()
        ],
    )
    yield "Presets are named sets of options:"
    yield markdown_table(
        ("preset", "options"),
        [
            (f"`{name}`", ", ".join(changed_options(preset)) or "the defaults")
            for name, preset in game.presets.items()
        ],
    )


def fallback_actions_block(games: Iterable[Game]) -> str:
    """Write the fallback actions that are not the first legal answer."""
    return markdown_table(
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
    phases: dict[FallbackAction, list[str]] = {}
    for phase, fallback_action in game.fallback_actions.items():
        phases.setdefault(fallback_action, []).append(phase)
    return phases


def _packs(game: Game) -> str:
    """Name the pack that the first shuffle starts from, unless options change it."""
    first = game.start(game.options(), game.seats[-1]).legal_actions(CHANCE)
    assert isinstance(first, Order), "a game begins with a shuffle"
    return f"Packs are shuffled from this order: `{','.join(first.pack)}`."


def _explained(notice: type[Notice]) -> str:
    parts = (f"{item.name}: {item.metadata['means']}" for item in word_fields(notice))
    return f"{cleandoc(notice.__doc__ or '')} {'; '.join(parts)}."


def _values(info: FieldInfo) -> str:
    default, others = option_values(info)
    if " to " in others[0]:
        return f"`{default}` ({others[0]})"
    return ", ".join(f"`{word}`" for word in (default, *others))


def excerpt_block(game: Game, first: int, last: int) -> str:
    """Write some lines of the game's transcript, counted from 1, between code fences."""
    return "\n".join(["```text", *transcript(game)[first - 1 : last], "```"])
