"""What a tournament requires of its boxes, compared with what they guarantee on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from common.errors import UserError
from sandbox.backends.registry import backend
from sandbox.doctor.examination import examine
from sandbox.guarantees import GUARANTEES, Guarantee
from tournament.settings import Settings

OWN_SYSTEM = "own-system"


class NotGuaranteed(UserError):
    """This machine can't give what a tournament requires; the message says what would help."""


def demand(tournaments: Iterable[Settings[Any]]) -> None:
    """Find out whether the boxes here keep what these tournaments require.

    Raises `NotGuaranteed` with a sentence for each guarantee that is not kept, `BackendMissing` if
    there can be no such box at all, and `BoxBroken`.
    """
    missing = [
        _sentence(settings, guarantee)
        for settings in tournaments
        for guarantee in _found(settings.backend_name, settings.require).values()
        if not guarantee.enforced
    ]
    if missing:
        missing.append("nothing was started; `arena doctor` shows all that holds here")
        raise NotGuaranteed("\n".join(missing))


def demand_own_system(settings: Settings[Any]) -> None:
    """Check, in the process that makes the boxes, that they still share no file.

    The findings from before the run hold for its boxes with one exception: the image may have
    become outdated since. A process chooses its image once, so this finding holds until it exits.
    Raises as `demand` does.
    """
    if OWN_SYSTEM in settings.require:
        (guarantee,) = _found(settings.backend_name, (OWN_SYSTEM,)).values()
        if not guarantee.enforced:
            raise NotGuaranteed(_sentence(settings, guarantee))


def _sentence(settings: Settings[Any], guarantee: Guarantee) -> str:
    return (
        f"{settings.name} requires {guarantee.name} ({GUARANTEES[guarantee.name]}), which the"
        f" {settings.backend_name} box can't give here: {guarantee.remedy}"
    )


@cache
def _found(box: str, names: tuple[str, ...]) -> Mapping[str, Guarantee]:
    """Try out a kind of box, once per process."""
    return {guarantee.name: guarantee for guarantee in examine(backend(box), names)}
