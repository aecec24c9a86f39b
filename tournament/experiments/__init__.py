"""Published results again: read, played, measured, reported."""
