"""What a tournament asks of the hosts that play it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from common.hosts import Host
from results.entries import Version
from sandbox.languages.registry import LANGUAGES
from tournament.settings.model import Settings

Mixing = Literal["alike", "any", "one"]

SPREAD = 1.5
"""How much faster one host may be than another that is alike."""


@dataclass(eq=False)
class Claim:
    """What a tournament asks of hosts: boxes that keep guarantees, and how far hosts may differ.

    `model` is the host that the others are compared with: the first that played for the season.
    `languages` are those of the season's bots, None where any tool may matter.
    """

    box: str
    require: tuple[str, ...]
    mixing: Mixing
    languages: frozenset[str] | None = None
    model: Host | None = field(default=None)

    @classmethod
    def of(
        cls,
        settings: Settings[Any],
        mixing: Mixing,
        versions: Iterable[Version],
        model: Host | None = None,
    ) -> Claim:
        """What a season of these versions, with these settings, asks of hosts."""
        names = {version.language for version in versions}
        languages = frozenset(names) if names <= {*LANGUAGES} else None
        return cls(settings.backend_name, settings.require, mixing, languages, model)

    def refusal(self, host: Host) -> str:
        """Say why a host is not used; empty if it is."""
        kept = host.boxes.get(self.box)
        if kept is None:
            return f"it can make no {self.box} box"
        missing = [name for name in self.require if name not in kept]
        if missing:
            return f"its {self.box} boxes don't keep {', '.join(missing)}"
        model = self.model
        if model is None or model.sha256 == host.sha256:
            return ""
        if self.mixing == "one":
            if host.name != model.name:
                return f"`hosts: one` keeps the season on {model.name}"
            return ""
        if self.mixing == "any":
            lacking = [
                name
                for name in sorted(self.languages or ())
                if name in model.languages and name not in host.languages
            ]
            return f"it has no {lacking[0]}" if lacking and self.box not in host.images else ""
        for difference in host.unlike(model, self.languages, self.box):
            return f"{difference} (`hosts: any` would allow it)"
        slower, faster = sorted((host.speed, model.speed))
        if faster > SPREAD * slower:
            return (
                f"its speed is {host.speed:g}, and {model.name}'s is {model.speed:g}"
                " (`hosts: any` would allow it)"
            )
        return ""

    def better(self, host: Host) -> tuple[int, int]:
        """How well a host would serve as the model: the one with the greatest value serves best."""
        wanted = {*host.languages} if self.languages is None else self.languages
        return len(wanted & {*host.languages}), host.cores
