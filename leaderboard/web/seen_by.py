"""Who sees which results: one decision for each request, that every page and answer goes through.

Without accounts everybody sees everything. Accounts decides otherwise by a subclass of `Everybody`:
whatever reads the store for a request reads it through `Site.seen`.
"""

from __future__ import annotations

from collections.abc import Hashable

from results.visibility import OPEN, VisibilityPolicy


class Everybody:
    """Decides the visibility policy for whoever asks now; here, and without accounts, none."""

    def policy(self) -> VisibilityPolicy:
        """What is hidden from whoever asks now."""
        return OPEN

    def is_restricted(self) -> bool:
        """Whether anything is hidden from anybody, so that answers differ between people."""
        return False

    def state(self) -> Hashable:
        """What differs between any two moments in which whoever asks is shown something else."""
        return None

    def is_somebody(self) -> bool:
        """Whether whoever asks sees more than everybody does."""
        return False

    def hidden_from_others(self, tournament: str) -> str:  # noqa: ARG002
        """What whoever asks sees of a tournament that others don't, in words."""
        return ""
