"""Alembic's entry: it runs in the transaction that leaderboard.database has opened."""

from alembic import context

from leaderboard.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
)
with context.begin_transaction():
    context.run_migrations()
