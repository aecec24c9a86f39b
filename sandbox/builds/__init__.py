"""Building bots in boxes, and keeping what was built."""
