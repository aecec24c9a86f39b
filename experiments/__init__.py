"""Published results, repeated: read, played, measured, reported."""
