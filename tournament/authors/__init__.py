"""For authors of bots: taking a bot in, its questions, a game at once, what went wrong."""
