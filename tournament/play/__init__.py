"""Playing: a match, the worker processes, a season, and whatever is due."""
