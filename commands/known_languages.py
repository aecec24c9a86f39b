"""The languages for bots, for those who run no bots themselves."""

from __future__ import annotations

from card_arena.leaderboard.rules import LanguageShape
from card_arena.sandbox.languages.registry import LANGUAGES


def known_languages() -> list[LanguageShape]:
    return [LanguageShape.model_validate(language) for language in LANGUAGES.values()]
