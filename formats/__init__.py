"""Formats, which decide which bots meet: a file for each, their common base, and the registry."""
