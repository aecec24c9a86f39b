"""Whether two bots of a tournament play for each other: `arena show collusion`."""
