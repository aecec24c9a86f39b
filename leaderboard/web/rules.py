"""The rules of a tournament's game: each option, and whether it has its default value."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.season_settings import SeasonSettings
from tables.manual import option_values, said
from tables.registry import GAMES


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
    found = []
    for name, info in game.options.model_fields.items() if game else ():
        default, _ = option_values(info)
        value = said(chosen.pop(name)) if name in chosen else default
        found.append(Rule(name, value, default, info.description or ""))
    found += [Rule(name, said(value), None, "") for name, value in chosen.items()]
    return tuple(sorted(found, key=lambda rule: not rule.differs))
