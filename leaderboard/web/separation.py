"""Whether those who sit at one table could talk to each other, said on a season's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.registry import GAMES

OWN_SYSTEM = "own-system"
"""The guarantee that no two boxes share a file of the system, as a season's settings require it."""

UNWALLED = (
    "There were no walls between these bots: partners, and bots of one author, could tell each"
    " other what they held."
)
PARTNERS_SHARE = (
    "Partners are one bot in two boxes. These boxes may share the system's files, so partners are"
    " not separated: they could tell each other what they hold."
)
PARTNERS_APART = (
    "Partners are one bot in two boxes. No two boxes share a file of the system, so partners have"
    " none to talk through."
)
BOTS_SHARE = (
    "Two bots of one author may sit at one table. Their boxes may share the system's files, so they"
    " are not separated: they could tell each other what they hold."
)
BOTS_APART = (
    "Two bots of one author may sit at one table. No two boxes share a file of the system, so they"
    " have none to talk through."
)


def separation(settings: Mapping[str, Any]) -> str:
    """Say it by the settings that a season was begun with; nothing where a bot sits alone.

    Only what was required is claimed: it was tried before the season began and where it was played.
    """
    if settings.get("seats") == 1:
        return ""
    if settings.get("box") == "bare":
        return UNWALLED
    required = settings.get("require", "usual")
    apart = required == "all" or (required != "usual" and OWN_SYSTEM in required)
    if settings.get("partners", "same") == "same" and has_partners(settings):
        return PARTNERS_APART if apart else PARTNERS_SHARE
    return BOTS_APART if apart else BOTS_SHARE


def has_partners(settings: Mapping[str, Any]) -> bool:
    """Whether several seats win and lose together at a table of these settings."""
    game = GAMES.get(settings.get("game", ""))
    if game is None:
        return False
    most = settings.get("seats") or game.seats[-1]
    try:
        options = game.options(**settings.get("options") or {})
    except ValueError:  # of a season of other rules than today's
        return False
    tables = (game.sides(options, seats) for seats in game.seats if seats <= most)
    return any(len(side) > 1 for sides in tables for side in sides)
