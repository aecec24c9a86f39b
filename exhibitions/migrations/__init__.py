"""The migrations of the exhibitions database, as those of the results are kept."""

HEAD = "0001"
"""The newest revision, known here without importing Alembic."""
