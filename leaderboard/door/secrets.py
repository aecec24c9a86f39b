"""Secrets that people carry: long enough that nobody guesses one, and kept as a hash only."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_PREFIX = "arena_"
"""By it people, and programs that look for leaked secrets, see what a token is."""


def new_secret(prefix: str = "") -> str:
    """A secret of 192 random bits, in letters, digits, - and _."""
    return prefix + secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret: its SHA-256 in hexadecimal.

    No salt and no slow hash: those protect secrets that could be guessed.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
