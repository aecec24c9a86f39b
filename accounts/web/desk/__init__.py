"""The organiser's desk."""

from accounts.web.desk import home, people, seasons
from accounts.web.desk.blueprint import blueprint

__all__ = ["blueprint", "home", "people", "seasons"]
