"""Actions and observations as numbers, one file a game; each is made of a question's words alone.

The files need nothing but Python, so a bot can take its own along and see what it was trained on.
"""
