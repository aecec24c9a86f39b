"""The API for programs, below /api/v1: what the pages show, as JSON.

Its models are those of `leaderboard.shapes`; `description.py` makes the OpenAPI of them.
"""

from leaderboard.web.api import about, downloads, resources, tournaments
from leaderboard.web.api.blueprint import blueprint

__all__ = ["about", "blueprint", "downloads", "resources", "tournaments"]
