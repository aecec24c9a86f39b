"""Whether bots of one match could talk to each other, as a season's page says it."""

from __future__ import annotations

from leaderboard.season_settings import SeasonSettings

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


def separation(settings: SeasonSettings) -> str:
    """Say it by the settings that a season was started with, and which calls its bots may make.

    Only a required guarantee is claimed: it was tested before the season and where it was played.
    """
    calls = settings.limits.calls
    allowed = f"Bots may also make the system calls {', '.join(calls)}." if calls else ""
    return " ".join(filter(None, (_separation(settings), allowed)))


def _separation(settings: SeasonSettings) -> str:
    """Say how bots are separated; nothing where a bot plays alone."""
    if settings.seats == 1:
        return ""
    if not settings.facts.isolated:
        return UNWALLED
    if _keeps_authors_apart(settings):
        return AUTHORS_APART
    apart = OWN_SYSTEM in settings.require
    if settings.partners == "same" and has_partners(settings):
        return PARTNERS_APART if apart else PARTNERS_SHARE
    return BOTS_APART if apart else BOTS_SHARE


def has_partners(settings: SeasonSettings) -> bool:
    """Whether several seats win and lose together at a table of these settings."""
    return any(len(side) > 1 for sides in settings.facts.tables for side in sides)


def _keeps_authors_apart(settings: SeasonSettings) -> bool:
    """Whether bots of one author meet at tables of two sides only, and there are larger ones."""
    larger = any(len(sides) > 2 for sides in settings.facts.tables)
    return larger and settings.facts.rated and settings.same_author == "apart"
