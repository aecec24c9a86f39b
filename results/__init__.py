"""The database: its tables, its migrations, and the code that writes to it."""
