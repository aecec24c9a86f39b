"""The pages: each reads models and renders a template."""

from card_arena.leaderboard.web.pages import (
    bots,
    comparisons,
    home,
    live,
    matches,
    previews,
    protocol,
    rules,
    seasons,
)
from card_arena.leaderboard.web.pages.site import ROWS, Site, blueprint, bot_title, game_title

__all__ = [
    "ROWS",
    "Site",
    "blueprint",
    "bot_title",
    "bots",
    "comparisons",
    "game_title",
    "home",
    "live",
    "matches",
    "previews",
    "protocol",
    "rules",
    "seasons",
]
