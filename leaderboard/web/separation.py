"""Whether bots of one match could talk to each other, as a season's page says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.registry import GAMES

OWN_SYSTEM = "own-system"
"""The guarantee that no two boxes share a system file, as a season's settings require it."""

UNWALLED = (
    "These bots ran without a sandbox: partners, and bots of one author, could tell each other"
    " their cards."
)
PARTNERS_SHARE = (
    "Partners are one bot in two sandboxes. The two may share the system’s files, so partners are"
    " not fully separated: they could tell each other their cards."
)
PARTNERS_APART = (
    "Partners are one bot in two sandboxes. No two sandboxes share a system file, so partners"
    " can’t pass messages through one; through numbers that the kernel counts for the whole machine"
    " they still could."
)
BOTS_SHARE = (
    "Two bots of one author may meet in a match. Their sandboxes may share the system’s files, so"
    " they are not fully separated: they could tell each other their cards."
)
BOTS_APART = (
    "Two bots of one author may meet in a match. No two sandboxes share a system file, so they"
    " can’t pass messages through one; through numbers that the kernel counts for the whole machine"
    " they still could."
)

AUTHORS_APART = "Two bots of one author never sit at a table of three or more here."


def separation(settings: Mapping[str, Any]) -> str:
    """Say it by the settings that a season was started with, and which calls its bots may make.

    Only a required guarantee is claimed: it was tested before the season and where it was played.
    """
    calls = (settings.get("limits") or {}).get("calls") or ()
    allowed = f"Bots may also make the system calls {', '.join(calls)}." if calls else ""
    return " ".join(filter(None, (_separation(settings), allowed)))


def _separation(settings: Mapping[str, Any]) -> str:
    """Say how bots are separated; nothing where a bot plays alone."""
    if settings.get("seats") == 1:
        return ""
    if settings.get("box") == "bare":
        return UNWALLED
    if _keeps_authors_apart(settings):
        return AUTHORS_APART
    required = settings.get("require", "usual")
    apart = required == "all" or (required != "usual" and OWN_SYSTEM in required)
    if settings.get("partners", "same") == "same" and has_partners(settings):
        return PARTNERS_APART if apart else PARTNERS_SHARE
    return BOTS_APART if apart else BOTS_SHARE


def has_partners(settings: Mapping[str, Any]) -> bool:
    """Whether several seats win and lose together at a table of these settings."""
    return any(len(side) > 1 for sides in _tables(settings) for side in sides)


def _keeps_authors_apart(settings: Mapping[str, Any]) -> bool:
    """Whether bots of one author meet at tables of two sides only, and there are larger ones."""
    larger = any(len(sides) > 2 for sides in _tables(settings))
    open_hands = (settings.get("options") or {}).get("open_hands", False)
    return larger and not open_hands and settings.get("same_author") == "apart"


def _tables(settings: Mapping[str, Any]) -> list[tuple[tuple[int, ...], ...]]:
    """The sides of every possible table; nothing if the game or its options are not today's."""
    game = GAMES.get(settings.get("game", ""))
    if game is None:
        return []
    most = settings.get("seats") or game.seats[-1]
    try:
        options = game.options(**settings.get("options") or {})
    except ValueError:  # of a season of other rules than today's
        return []
    return [game.sides(options, seats) for seats in game.seats if seats <= most]
