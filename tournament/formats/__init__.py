"""Formats decide which bots meet: a file for each, what they share, and the list of them."""
