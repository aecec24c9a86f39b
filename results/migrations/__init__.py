"""The database's migrations: one file in `versions/` for every change of its tables.

Revisions are numbered, four digits each. A new database is made from models.py; an older one is
migrated. A change of models.py adds the next file and raises `HEAD`; tests keep the three in step.
"""

HEAD = "0001"
"""The newest revision, known here without importing Alembic."""
