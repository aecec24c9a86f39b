"""What authors of bots need: admission, test questions, a quick game, what went wrong."""
