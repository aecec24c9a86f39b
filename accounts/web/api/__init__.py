"""The API for programs of people with an account, beside the one that everybody reads."""

from accounts.web.api import admin, mine, orders, teams, uploads
from accounts.web.api.blueprint import blueprint

__all__ = ["admin", "blueprint", "matches", "mine", "orders", "teams", "uploads"]
