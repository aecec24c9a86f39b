"""What the command line says in one sentence: mistakes of its user, and failures of the arena.

An exception of either kind carries a message for people. Anything else that is raised is a bug of
ours, and is shown as a traceback.
"""

from __future__ import annotations


class UserError(Exception):
    """Something that the user can put right; the message says what and where. Exit code 2."""


class ArenaFailure(Exception):
    """The arena or its machine failed; the message says at what. Exit code 1."""
