"""Whether an answer is a legal one: the sandbox knows no games and asks a judge that does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from sandbox.box import Reply


class Wrong(NamedTuple):
    """Why an answer is not legal; it is `illegal` where it is one, but not allowed now."""

    reason: str
    kind: Literal["malformed", "illegal"] = "malformed"


Judge = Callable[[str], Wrong | None]
"""Says of an answer why it is not legal, None where it is."""


def mistake(reply: Reply, judge: Judge) -> Wrong | None:
    """Say what is wrong with what came back, None where nothing is."""
    if reply.fault:
        return Wrong(reply.detail or reply.fault)
    return judge(reply.line or "")
