"""The pages: each asks the views for what it shows, and a template to show it."""

from leaderboard.web.pages import bots, comparisons, home, matches, seasons
from leaderboard.web.pages.site import Site, blueprint, game_title

__all__ = ["Site", "blueprint", "bots", "comparisons", "game_title", "home", "matches", "seasons"]
