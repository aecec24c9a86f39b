"""The tables of the first release; a new database is made from the models."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """No tables precede these."""
