"""Addresses inside this site, as opposed to those that a stranger would lead somebody to."""

from __future__ import annotations

from urllib.parse import urlsplit


def inside(wanted: str) -> str:
    """An address if it is one of this site, without a host; else nothing."""
    parts = urlsplit(wanted)
    here = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if here and not parts.scheme and not parts.netloc else ""
