"""The admin pages for programs: every address needs an organiser's token that may `manage`."""

from card_arena.accounts.web.api.admin import home, people, seasons

__all__ = ["home", "people", "seasons"]
