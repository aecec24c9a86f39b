"""The database: its tables, its history, and what writes to it."""
