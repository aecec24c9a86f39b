"""The API for programs of people with an account, beside the one that everybody reads."""

from leaderboard.door.web.api import desk, matches, mine, orders, teams, uploads
from leaderboard.door.web.api.blueprint import blueprint

__all__ = ["blueprint", "desk", "matches", "mine", "orders", "teams", "uploads"]
