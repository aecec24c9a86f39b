"""Tournaments: their settings and formats, and playing, verifying and repeating them."""
