"""The API for programs, below /api/v1: what the pages show, as JSON.

Its models are those that pages read; `description.py` makes the OpenAPI of them.
"""

from leaderboard.web.api import resources
from leaderboard.web.api.blueprint import blueprint

__all__ = ["blueprint", "resources"]
