"""The admin pages."""

from card_arena.accounts.web.admin import home, people, seasons
from card_arena.accounts.web.admin.blueprint import blueprint

__all__ = ["blueprint", "home", "people", "seasons"]
