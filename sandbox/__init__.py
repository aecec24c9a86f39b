"""Runs a stranger's program, and knows no games."""
