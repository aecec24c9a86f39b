"""The API for programs, below /api/v1: the models of the pages as JSON.

`description.py` makes the OpenAPI of them.
"""

from leaderboard.web.api import resources
from leaderboard.web.api.answers import blueprint

__all__ = ["blueprint", "resources"]
