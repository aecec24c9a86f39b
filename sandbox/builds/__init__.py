"""Building bots in boxes, and keeping the builds."""
