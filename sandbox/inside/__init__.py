"""Modules that run in a box, under its own python3; they import the standard library only."""
