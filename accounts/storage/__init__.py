"""The database of the door: its tables, and the one place that reads and writes them."""
