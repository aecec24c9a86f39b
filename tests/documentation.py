"""Fills the generated blocks of the documentation. Run it to write the pages anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import cleandoc
from pathlib import Path

from experiments.description import experiments
from experiments.report import spoken
from sandbox.languages.registry import LANGUAGES
from tables import dealing
from tables.manual import game_block, render, stand_ins_block, table
from tables.registry import GAMES
from tests.shapes import addresses_block, json_block, shapes_block

TOP = Path(__file__).parent.parent
PAGES = ("protocol.md", "experiments/README.md", "docs/api.md", "docs/shapes.md")
FENCES = {".py": "python", ".c": "c", ".sh": "sh", ".yaml": "yaml"}


def file_block(path: Path) -> str:
    """A whole file, fenced."""
    return f"```{FENCES[path.suffix]}\n{path.read_text().strip()}\n```"


def languages_block() -> str:
    """Every language with its files, and what installs its tools."""
    return table(
        ("language", "`language:`", "files", "installed by"),
        [
            (
                entry.title,
                f"`{entry.name}`",
                ", ".join(f"`{suffix}`" for suffix in entry.suffixes),
                f"`apt-get install {entry.package}`",
            )
            for entry in LANGUAGES.values()
        ],
    )


def experiments_block() -> str:
    """Every experiment, and how long it takes."""
    return table(
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
        "languages": languages_block,
        "experiments": experiments_block,
        "addresses": addresses_block,
        "json": json_block,
        "shapes": shapes_block,
        "key": partial(recipe_block, "The key. "),
        "recipe": partial(recipe_block, "The recipe. "),
        "stand-ins": partial(stand_ins_block, GAMES.values()),
        **{f"game {game.name}": partial(game_block, game) for game in GAMES.values()},
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
