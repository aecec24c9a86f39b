"""Alembic's entry point, run in the transaction that results.database has opened."""

from alembic import context

from card_arena.results.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
)
with context.begin_transaction():
    context.run_migrations()
