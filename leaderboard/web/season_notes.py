"""The rules of a tournament's game: each option, and whether it has its default value."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.results.season_settings import SeasonSettings
from card_arena.tables.options import option_text, option_values
from card_arena.tables.registry import GAMES


@dataclass(frozen=True, slots=True)
class Rule:
    """An option of a game: its value in this tournament, the game's default, and its meaning.

    `default` is None if today's rules have no such option.
    """

    name: str
    value: str
    default: str | None
    meaning: str

    @property
    def differs(self) -> bool:
        """Whether the value is not the default."""
        return self.value != self.default


def rules(settings: SeasonSettings) -> tuple[Rule, ...]:
    """Every option of a tournament's game, those that differ from the defaults first."""
    chosen = dict(settings.options)
    game = GAMES.get(settings.game)
    result = []
    for name, info in game.options.model_fields.items() if game else ():
        default, _ = option_values(info)
        value = option_text(chosen.pop(name)) if name in chosen else default
        result.append(Rule(name, value, default, info.description or ""))
    result += [Rule(name, option_text(value), None, "") for name, value in chosen.items()]
    return tuple(sorted(result, key=lambda rule: not rule.differs))


OWN_SYSTEM = "own-system"
"""The guarantee that no two sandboxes share a system file, as a season's settings require it."""

UNSANDBOXED = (
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
        return UNSANDBOXED
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
