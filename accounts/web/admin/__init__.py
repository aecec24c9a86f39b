"""The admin pages."""

from accounts.web.admin import home, people, seasons
from accounts.web.admin.blueprint import blueprint

__all__ = ["blueprint", "home", "people", "seasons"]
