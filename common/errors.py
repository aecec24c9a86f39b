"""The errors that the command line reports in one sentence: user errors, and failures of the arena.

An exception of either kind carries a message for people. Any other exception is a bug in the arena,
and is shown as a traceback.
"""

from __future__ import annotations


class UserError(Exception):
    """Something that the user can put right; the message says what and where. Exit code 2.

    One that `passes` is over by itself, or with the fault of a disk or a server: the same command
    may succeed later. Exit code 1, so that a service is started again.
    """

    passes: bool = False


class ArenaFailure(Exception):
    """The arena or its machine failed; the message says what failed. Exit code 1."""
