"""The API for programs of people with an account, beside the one that everybody reads."""

from accounts.web.api import desk, mine, orders, teams, uploads
from accounts.web.api.blueprint import blueprint

__all__ = ["blueprint", "desk", "matches", "mine", "orders", "teams", "uploads"]
