"""Whether an answer is legal: the sandbox knows no games and asks a judge that does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from sandbox.box import Reply


class Wrong(NamedTuple):
    """Why an answer is not legal; `illegal` means a word of the game that is not allowed now."""

    reason: str
    kind: Literal["malformed", "illegal"] = "malformed"


Judge = Callable[[str], Wrong | None]
"""Says why an answer is not legal, or None if it is."""


def mistake(reply: Reply, judge: Judge) -> Wrong | None:
    """Say what is wrong with a reply, or None if nothing is."""
    if reply.fault:
        return Wrong(reply.detail or reply.fault)
    return judge(reply.line or "")
