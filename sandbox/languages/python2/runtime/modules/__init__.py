"""Modules of Python 2's library that give something else in Python 3, under their own names."""
