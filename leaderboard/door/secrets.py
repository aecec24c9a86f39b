"""Secrets that people carry: long enough that nobody guesses one, and kept as a hash only."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_PREFIX = "arena_"
"""By it people, and programs that look for leaked secrets, see what a token is."""


def new_secret(prefix: str = "") -> str:
    """A secret of 192 random bits, in letters, digits, - and _."""
    return prefix + secrets.token_urlsafe(24)


def new_session_number() -> int:
    """A number that sessions must have, drawn so that no other account has the same.

    Counting would give one number to many accounts: where a folder was copied for a second arena,
    with the key, a cookie of the one would be good for somebody else in the other.
    """
    return secrets.randbelow(2**31 - 1) + 1


def hashed(secret: str) -> str:
    """What is kept of a secret: its SHA-256 in hexadecimal.

    No salt and no slow hash: those protect secrets that could be guessed.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
