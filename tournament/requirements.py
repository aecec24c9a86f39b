"""The guarantees and hosts that a tournament requires, compared with what there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Literal

from card_arena.common.errors import UserError
from card_arena.common.hosts import Host
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.doctor import examine
from card_arena.sandbox.guarantees import GUARANTEES, Guarantee
from card_arena.tournament.settings import Settings

OWN_SYSTEM = "own-system"

_examining = Lock()  # the tables of people begin in threads


class NotGuaranteed(UserError):
    """This machine can't give what a tournament requires; the message says what would help."""


def demand(tournaments: Iterable[Settings[Any]]) -> None:
    """Check that the sandboxes here keep the guarantees that these tournaments require.

    Raises `NotGuaranteed` with a sentence for each guarantee that is not kept, `BackendMissing` if
    there can be no such sandbox at all, and `SandboxBroken`.
    """
    with _examining:
        missing = [
            _sentence(settings, guarantee)
            for settings in tournaments
            for guarantee in _examined(settings.backend_name, settings.require)
            if not guarantee.enforced
        ]
    if missing:
        _examined.cache_clear()
        missing.append("nothing was started; `arena doctor` shows all that holds here")
        raise NotGuaranteed("\n".join(missing))


def demand_own_system(settings: Settings[Any]) -> None:
    """Check, in the process that makes the sandboxes, that they still share no file.

    The image may have become outdated since the checks before the run. A process chooses its image
    once, so this result is valid until it exits. Raises as `demand` does.
    """
    if OWN_SYSTEM in settings.require:
        (guarantee,) = _examined(settings.backend_name, (OWN_SYSTEM,))
        if not guarantee.enforced:
            raise NotGuaranteed(_sentence(settings, guarantee))


def _sentence(settings: Settings[Any], guarantee: Guarantee) -> str:
    return (
        f"{settings.name} requires {guarantee.name} ({GUARANTEES[guarantee.name]}), which the"
        f" {settings.backend_name} sandbox can't give here: {guarantee.fix}"
    )


@cache
def _examined(sandbox: str, names: tuple[str, ...]) -> Sequence[Guarantee]:
    """Test a kind of sandbox, once per process; `demand` has what was missing tested again."""
    return examine(backend(sandbox), names)


Hosts = Literal["alike", "any", "one"]

SPREAD = 1.5
"""How much faster one host may be than another that is alike."""


@dataclass(eq=False)
class Requirements:
    """A season's requirements for hosts: the guarantees of sandboxes, and how far hosts may differ.

    `model` is the host that the others are compared with: the first that played for the season.
    `languages` are those of the season's bots, None if any tool may matter.
    """

    sandbox: str
    require: tuple[str, ...]
    hosts: Hosts
    languages: frozenset[str] | None = None
    model: Host | None = None

    def refusal(self, host: Host) -> str:
        """Return why a host is not used; empty if it is."""
        guarantees = host.sandboxes.get(self.sandbox)
        if guarantees is None:
            return f"it can make no {self.sandbox} sandbox"
        missing = [name for name in self.require if name not in guarantees]
        if missing:
            return f"its {self.sandbox} sandboxes don't keep {', '.join(missing)}"
        model = self.model
        if model is None or model.sha256 == host.sha256:
            return ""
        if self.hosts == "one":
            if host.name != model.name:
                return f"`hosts: one` keeps the season on {model.name}"
            return ""
        if self.hosts == "any":
            lacking = [
                name
                for name in sorted(self.languages or ())
                if name in model.languages and name not in host.languages
            ]
            return f"it has no {lacking[0]}" if lacking and self.sandbox not in host.images else ""
        for difference in host.unlike(model, self.languages, self.sandbox):
            return f"{difference} (`hosts: any` would allow it)"
        slower, faster = sorted((host.speed, model.speed))
        if faster > SPREAD * slower:
            return (
                f"its speed is {host.speed:g}, and {model.name}'s is {model.speed:g}"
                " (`hosts: any` would allow it)"
            )
        return ""

    def better(self, host: Host) -> tuple[int, int]:
        """Return a host's value as the model; the host with the greatest value becomes it."""
        names = {*host.languages} if self.languages is None else self.languages
        return len(names & {*host.languages}), host.cores
