"""Sessions that end one by one, what came by a token, and the author that a team was given."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("seen", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_sessions"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_sessions_person_id"),
    )
    op.create_index("ix_sessions_person_id", "sessions", ["person_id"])
    op.drop_column("people", "session")
    op.add_column("links", sa.Column("token_id", sa.Integer()))
    op.create_index("ix_links_token_id", "links", ["token_id"])
    op.add_column("invitations", sa.Column("token_id", sa.Integer()))
    op.add_column("invitations", sa.Column("expires", MOMENT))
    op.create_index("ix_invitations_token_id", "invitations", ["token_id"])
    op.add_column("teams", sa.Column("author", sa.Text()))
    op.create_index("ix_teams_author", "teams", ["author"], unique=True)
    teams = sa.table("teams", sa.column("id"), sa.column("name"), sa.column("author"))
    uploads = sa.table("uploads", sa.column("team_id"), sa.column("state"))
    admitted = sa.select(uploads.c.team_id).where(uploads.c.state == "admitted")
    op.execute(teams.update().where(teams.c.id.in_(admitted)).values(author=teams.c.name))
