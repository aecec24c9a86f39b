"""Reasons that stay on pages and in ledgers."""

from __future__ import annotations

from leaderboard.proof.ledger import LONGEST_REASON
from leaderboard.storage.database import StoreError


class BadReason(StoreError):
    """There is no reason, or it can't be kept; the message says what was expected."""


def checked_reason(text: str) -> str:
    """A reason in one line; raises `BadReason` if there is none, or if it is too long."""
    reason = " ".join(text.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise BadReason(f"a reason must have 1 to {LONGEST_REASON} characters that can be printed")
    return reason
