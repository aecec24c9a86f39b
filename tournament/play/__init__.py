"""Playing: a match, the processes that play it, a season, and what is due."""
