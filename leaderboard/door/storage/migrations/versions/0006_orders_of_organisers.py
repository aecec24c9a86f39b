"""Whether an order was given by an organiser: roles change, and what was ordered stays."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column(
        "acts", sa.Column("organiser", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    acts = sa.table("acts", sa.column("person_id", sa.Integer), sa.column("organiser", sa.Boolean))
    people = sa.table("people", sa.column("id", sa.Integer), sa.column("role", sa.Text))
    organisers = sa.select(people.c.id).where(people.c.role == "organiser")
    given = acts.c.person_id.is_(None) | acts.c.person_id.in_(organisers)
    op.execute(acts.update().where(given).values(organiser=sa.true()))
