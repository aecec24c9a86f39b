"""People, their teams, what signs them in, what they handed in, and what they did."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("joined", MOMENT, nullable=False),
        sa.Column("shut_out", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("email", name="uq_people_email"),
    )
    op.create_table(
        "identities",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "subject", name="pk_identities"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_identities_person_id"),
    )
    op.create_index("ix_identities_person_id", "identities", ["person_id"])
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_teams"),
        sa.UniqueConstraint("name", name="uq_teams_name"),
    )
    op.create_table(
        "members",
        sa.Column("team_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("person_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("team_id", "person_id", name="pk_members"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_members_team_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_members_person_id"),
    )
    op.create_index("ix_members_person_id", "members", ["person_id"])
    op.create_table(
        "links",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.Column("used", MOMENT),
        sa.PrimaryKeyConstraint("sha256", name="pk_links"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_links_person_id"),
    )
    op.create_index("ix_links_person_id", "links", ["person_id"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.Column("used", MOMENT),
        sa.Column("revoked", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("sha256", name="uq_tokens_sha256"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_tokens_person_id"),
    )
    op.create_index("ix_tokens_person_id", "tokens", ["person_id"])
    op.create_table(
        "acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_acts"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_acts_person_id"),
    )
    op.create_index("ix_acts_person_id_id", "acts", ["person_id", "id"])
    op.create_index("ix_acts_state_id", "acts", ["state", "id"])
    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("received", MOMENT, nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed", MOMENT, nullable=False),
        sa.Column("settled", MOMENT),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("remarks", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_uploads_team_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_uploads_person_id"),
    )
    op.create_index("ix_uploads_team_id_id", "uploads", ["team_id", "id"])
    op.create_index("ix_uploads_state_id", "uploads", ["state", "id"])
    op.create_index("ix_uploads_team_id_sha256", "uploads", ["team_id", "sha256"])
