"""Seasons that are killed again and again: `python -m tests.killed FORMAT --times 30`."""
