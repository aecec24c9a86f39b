"""The API for programs of people with an account, beside the one that everybody reads."""

from card_arena.accounts.web.api import admin, mine, teams, uploads, waiting_operations
from card_arena.accounts.web.api.blueprint import blueprint

__all__ = ["admin", "blueprint", "matches", "mine", "teams", "uploads", "waiting_operations"]
