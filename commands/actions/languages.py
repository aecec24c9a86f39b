"""`arena show languages`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from card_arena.commands.console import Printer, Rows
from card_arena.commands.printer import say_shape
from card_arena.leaderboard.models import Shape, Text
from card_arena.leaderboard.rules import LanguageShape
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import has_tool
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import Language
from card_arena.tournament.submissions import SANDBOX


class LanguageHere(LanguageShape):
    """A language for bots, on this machine."""

    missing: Text
    """What this machine lacks for it; empty if bots in it can play here."""
    how: Text
    """How bots in it are run here, where there are several ways."""


class LanguagesHere(Shape):
    """The languages for bots, on this machine."""

    items: tuple[LanguageHere, ...]
    """The languages."""


def languages(as_json: bool) -> None:
    has = partial(has_tool, backend(SANDBOX))
    if as_json:
        say_shape(
            LanguagesHere(items=tuple(_here(language, has) for language in LANGUAGES.values()))
        )
        return
    Printer().print(languages_table(LANGUAGES.values(), has))


def _here(language: Language, has: Callable[[str], bool]) -> LanguageHere:
    return LanguageHere(
        name=language.name,
        title=language.title,
        suffixes=language.suffixes,
        package=language.package,
        missing=language.missing() or "",
        how=language.way(has).how_run,
    )


def languages_table(languages: Iterable[Language], has: Callable[[str], bool]) -> Rows:
    """Draw the table of languages; `has` tells whether sandboxes have a tool."""
    table = Rows("language", "files", "here")
    for language in languages:
        how = language.way(has).how_run
        here = language.missing() or (f"yes: {how}" if how else "yes")
        table.add_row(language.name, " ".join(language.suffixes), here)
    return table
