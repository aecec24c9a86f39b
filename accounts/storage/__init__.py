"""The database of accounts: its tables, and the one place that reads and writes them."""
