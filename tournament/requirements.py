"""What a tournament requires of its boxes, held against what they are found to keep here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from sandbox.backends import backend
from sandbox.box import Guarantee
from sandbox.promises import PROMISES
from tournament.settings import Settings


class NotGuaranteed(Exception):
    """This machine can't give what a tournament requires; the message says what would help."""


def demand(tournaments: Iterable[Settings[Any]]) -> None:
    """Find out whether the boxes here keep what these tournaments require.

    Raises `NotGuaranteed` with a sentence for each promise that is not kept, `BackendMissing`
    where there can be no such box at all, and `BoxBroken`.
    """
    missing = [
        f"{settings.name} requires {name} ({PROMISES[name]}), which the {settings.box} box can't"
        f" give here: {promise.remedy}"
        for settings in tournaments
        for name, promise in _found(settings.box, settings.required).items()
        if not promise.enforced
    ]
    if missing:
        missing.append("nothing was started; `arena doctor` shows all that holds here")
        raise NotGuaranteed("\n".join(missing))


@cache
def _found(box: str, names: tuple[str, ...]) -> Mapping[str, Guarantee]:
    """Try a kind of box out, once in the life of a process."""
    return {promise.name: promise for promise in backend(box).guarantees(names)}
