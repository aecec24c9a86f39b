"""The API for programs, below /api/v1: the models of the pages as JSON.

`description.py` makes the OpenAPI of them.
"""

from card_arena.leaderboard.web.api import resources
from card_arena.leaderboard.web.api.answers import blueprint

__all__ = ["blueprint", "resources"]
