"""Matches of several games: their seatings and sides; unrated seasons.

Before this, every entrant had one seat and played for itself, in matches of one game, all of them
rated.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

SEATS = sa.table("seats", sa.column("match_id"), sa.column("seat"), sa.column("side"))
RECORDS = sa.table("records", sa.column("match_id"), sa.column("seating", sa.JSON()))


def upgrade() -> None:
    # SQLite adds no column without a value for existing rows, hence the defaults.
    for table, column in (
        ("seasons", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.true())),
        ("seats", sa.Column("side", sa.Integer(), nullable=False, server_default="0")),
        ("records", sa.Column("seating", sa.JSON(), nullable=False, server_default="[]")),
    ):
        op.add_column(table, column)
    op.execute(SEATS.update().values(side=SEATS.c.seat))
    sizes = sa.select(SEATS.c.match_id, sa.func.count()).group_by(SEATS.c.match_id)
    for match_id, size in op.get_bind().execute(sizes).all():
        this = RECORDS.c.match_id == match_id
        op.execute(RECORDS.update().where(this).values(seating=list(range(size))))

    # A fault may happen in a chair that is not its entrant's first.
    with op.batch_alter_table("faults") as faults:
        faults.drop_constraint("fk_faults_match_id_seat", type_="foreignkey")
        faults.create_foreign_key(
            op.f("fk_faults_match_id_version_id"),
            "seats",
            ["match_id", "version_id"],
            ["match_id", "version_id"],
        )
