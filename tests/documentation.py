"""Fills the generated blocks of the documentation. Run it to rewrite the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from inspect import cleandoc
from pathlib import Path

from card_arena.common.text import markdown_table
from card_arena.experiments.description import experiments
from card_arena.experiments.report import spoken
from card_arena.leaderboard.sheets import LEARNING
from card_arena.library.registry import Game, games
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.tables import dealing
from card_arena.tables.registry import GAMES
from card_arena.tables.transcript import transcript
from card_arena.tests.blocks import excerpt_block, fallback_actions_block, game_block, render
from card_arena.tests.shapes import addresses_block, json_block, shapes_block

TOP = Path(__file__).parent.parent
GUIDES = {game: f"docs/games/{game}.md" for game in GAMES}
"""The page of each game for authors."""

TRANSCRIPTS = {game: f"tests/transcripts/{game}.txt" for game in GAMES}
"""A whole game of each, word by word."""

PAGES = (
    *("protocol.md", *GUIDES.values(), "docs/verifying.md"),
    *("experiments/README.md", "docs/api.md", "docs/shapes.md"),
    *("docs/library.md", "docs/encodings.md"),
)
EXCERPTS = re.compile(r"<!-- begin (lines (\w+) (\d+)-(\d+)) -->")
FENCES = {".py": "python", ".yaml": "yaml"}


def file_block(path: Path) -> str:
    """A whole file, fenced."""
    return f"```{FENCES[path.suffix]}\n{path.read_text().strip()}\n```"


def languages_block() -> str:
    """Write the languages with their files and the packages of their tools."""
    return markdown_table(
        ("language", "`language:`", "files", "Debian package"),
        [
            (
                entry.title,
                f"`{entry.name}`",
                ", ".join(f"`{suffix}`" for suffix in entry.suffixes),
                f"`{entry.package}`",
            )
            for entry in LANGUAGES.values()
        ],
    )


def games_block() -> str:
    """Write the games with their pages."""
    return markdown_table(
        ("game", "seats", "questions and answers", "rules", "a whole game"),
        [
            (
                game.title,
                game.seats_text,
                f"[docs/games/{name}.md](docs/games/{name}.md)",
                f"[docs/rules/{name}.md](docs/rules/{name}.md)",
                f"[{name}.txt](tests/transcripts/{name}.txt)",
            )
            for name, game in GAMES.items()
        ],
    )


def excerpts() -> Iterator[tuple[str, Callable[[], str]]]:
    """The parts of transcripts that the games' pages show."""
    for page in GUIDES.values():
        for name, game, first, last in EXCERPTS.findall((TOP / page).read_text()):
            yield name, partial(excerpt_block, GAMES[game], int(first), int(last))


def decisions_block() -> str:
    """Write the columns of exported decisions."""
    return markdown_table(
        ("column", "kind", "what"),
        [(f"`{one.name}`", one.kind, one.means) for one in LEARNING.columns],
    )


def encodings_block() -> str:
    """Write the actions and the layout of observations of every game, number by number."""
    return "\n\n".join(map("\n\n".join, map(_encoding, games())))


def _encoding(game: Game) -> Iterator[str]:
    yield f"## {game.title}"
    yield f"{len(game.actions)} actions, each line with the number of its first one:"
    lines: list[str] = []
    for number, text in enumerate(game.actions):
        word = text.replace(" ", "_")
        if not lines or len(lines[-1]) + len(word) > 95:
            lines.append(f"{number:4}")
        lines[-1] += f" {word}"
    yield "\n".join(("```text", *lines, "```"))
    rows, begin = [], 0
    for name, length, means in game.layout:
        last = begin + length - 1
        rows.append((f"`{name}`", f"{begin} to {last}" if length > 1 else str(begin), means))
        begin += length
    yield f"{begin} numbers make an observation:"
    yield markdown_table(("part", "numbers", "meaning"), rows)


def experiments_block() -> str:
    """Every experiment, and how long it takes."""
    return markdown_table(
        ("experiment", "about", "on 2 cores"),
        [
            (f"`{one.name}`", one.description.about, spoken(one.description.duration))
            for one in experiments(TOP / "experiments")
        ],
    )


def recipe_block(beginning: str) -> str:
    """The paragraph of the dealer's docstring that begins so, which anybody can follow."""
    paragraphs = cleandoc(dealing.__doc__ or "").split("\n\n")
    return next(text for text in paragraphs if text.startswith(beginning))[len(beginning) :]


def blocks() -> Mapping[str, Callable[[], str]]:
    """Everything that a page may ask for, by the name in its marks."""
    starters = sorted((TOP / "bots" / "starters").rglob("*.*"))
    return {
        "games": games_block,
        "languages": languages_block,
        "experiments": experiments_block,
        "decisions": decisions_block,
        "encodings": encodings_block,
        "addresses": addresses_block,
        "json": json_block,
        "shapes": shapes_block,
        "key": partial(recipe_block, "The key. "),
        "recipe": partial(recipe_block, "The recipe. "),
        "fallback actions": partial(fallback_actions_block, GAMES.values()),
        **{f"game {game.name}": partial(game_block, game) for game in GAMES.values()},
        **dict(excerpts()),
        **{
            f"file {path.relative_to(TOP)}": partial(file_block, path)
            for path in starters
            if path.suffix in FENCES
        },
    }


if __name__ == "__main__":
    for name in PAGES:
        page = TOP / name
        page.write_text(render(page.read_text(), blocks()))
        print(f"wrote {name}")
    for name, file in TRANSCRIPTS.items():
        (TOP / file).write_text("\n".join(transcript(GAMES[name])) + "\n")
        print(f"wrote {file}")
