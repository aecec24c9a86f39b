"""Modules that run in a sandbox, under its own python3; they import the standard library only."""
