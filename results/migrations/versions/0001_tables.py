"""The tables of bots, of what happened, and of who plays."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("withdrawn", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("chosen", sa.Integer(), nullable=True),
        sa.Column("deleted", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_table(
        "hosts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hosts")),
        sa.UniqueConstraint("digest", name=op.f("uq_hosts_digest")),
    )
    leases = op.create_table(
        "leases",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("began", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leases")),
    )
    op.create_table(
        "services",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("began", sa.Text(), nullable=False),
        sa.Column("starts", sa.JSON(), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turned", sa.DateTime(timezone=True), nullable=True),
        sa.Column("playing", sa.JSON(), nullable=False),
        sa.Column("troubles", sa.JSON(), nullable=False),
        sa.Column("ended", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_services")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("announced", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("next_seed", sa.LargeBinary(), nullable=True),
        sa.Column("paused", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("name", name=op.f("uq_tournaments_name")),
    )
    op.create_table(
        "ledger",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_ledger_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_ledger")),
    )
    op.create_index(
        "ix_ledger_once",
        "ledger",
        ["tournament_id", "season", "kind"],
        unique=True,
        sqlite_where=sa.text("kind IN ('announce', 'begin', 'unshown', 'value', 'finish')"),
        postgresql_where=sa.text("kind IN ('announce', 'begin', 'unshown', 'value', 'finish')"),
    )
    op.create_index("ix_ledger_season", "ledger", ["tournament_id", "season", "kind"], unique=False)
    op.create_table(
        "moves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("new_name", sa.Text(), nullable=False),
        sa.Column("new_author", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_moves_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moves")),
    )
    op.create_index(op.f("ix_moves_bot_id"), "moves", ["bot_id"], unique=False)
    op.create_index(op.f("ix_moves_name"), "moves", ["name"], unique=False)
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=True),
        sa.Column("planned", sa.Integer(), nullable=True),
        sa.Column("at_most", sa.Boolean(), nullable=False),
        sa.Column("panels", sa.JSON(), nullable=False),
        sa.Column("queue", sa.JSON(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("key_from", sa.Text(), nullable=False),
        sa.Column("value_from", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("public_value", sa.Text(), nullable=True),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column(
            "unrated_from",
            sa.String().with_variant(sa.String(collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("annulled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_seasons_tournament_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint(
            "tournament_id", "number", name=op.f("uq_seasons_tournament_id_number")
        ),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("submitted", sa.DateTime(timezone=True), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_table(
        "builds",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("built", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_builds_version_id")),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_builds")),
    )
    op.create_table(
        "held_seats_sums",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("held", sa.Text(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("x", sa.Double(), nullable=False),
        sa.Column("xx", sa.Double(), nullable=False),
        sa.Column("xn", sa.Double(), nullable=False),
        sa.Column("nn", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id"], ["seasons.id"], name=op.f("fk_held_seats_sums_season_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_held_seats_sums_version_id")
        ),
        sa.PrimaryKeyConstraint(
            "season_id", "version_id", "leg", "seats", "held", name=op.f("pk_held_seats_sums")
        ),
    )
    op.create_index(
        op.f("ix_held_seats_sums_version_id"), "held_seats_sums", ["version_id"], unique=False
    )
    op.create_table(
        "entrants",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sits_out", sa.Text(), nullable=False),
        sa.Column("points", sa.Double(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("tie_breaks", sa.JSON(), nullable=False),
        sa.Column("legs", sa.JSON(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("struck_out", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("forgiven", sa.Integer(), nullable=False),
        sa.Column("slowest", sa.BigInteger(), nullable=False),
        sa.Column("linked", sa.Integer(), nullable=True),
        sa.Column("lately", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_entrants_season_id")),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_entrants_version_id")
        ),
        sa.PrimaryKeyConstraint("season_id", "version_id", name=op.f("pk_entrants")),
    )
    op.create_index(op.f("ix_entrants_version_id"), "entrants", ["version_id"], unique=False)
    op.create_table(
        "interventions",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=True),
        sa.Column(
            "key", sa.String().with_variant(sa.String(collation="C"), "postgresql"), nullable=True
        ),
        sa.Column("entrant", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("lifted", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id"], ["seasons.id"], name=op.f("fk_interventions_season_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name=op.f("fk_interventions_version_id")
        ),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_interventions")),
    )
    op.create_index(op.f("ix_interventions_key"), "interventions", ["key"], unique=False)
    op.create_index(
        op.f("ix_interventions_version_id"), "interventions", ["version_id"], unique=False
    )
    op.create_table(
        "legs",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("newest", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_legs_season_id")),
        sa.PrimaryKeyConstraint("season_id", "leg", name=op.f("pk_legs")),
    )
    op.create_table(
        "manifests",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_manifests_season_id")),
        sa.PrimaryKeyConstraint("season_id", name=op.f("pk_manifests")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column(
            "key", sa.String().with_variant(sa.String(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("shoe", sa.JSON(), nullable=False),
        sa.Column("boards", sa.JSON(), nullable=False),
        sa.Column("luck", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("penalties", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("stored", sa.DateTime(timezone=True), nullable=False),
        sa.Column("annulled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_matches_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("key", name=op.f("uq_matches_key")),
    )
    op.create_index(op.f("ix_matches_season_id_id"), "matches", ["season_id", "id"], unique=False)
    op.create_index(op.f("ix_matches_season_id_key"), "matches", ["season_id", "key"], unique=False)
    op.create_index(
        op.f("ix_matches_season_id_leg_key"), "matches", ["season_id", "leg", "key"], unique=False
    )
    op.create_table(
        "season_hosts",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["hosts.id"], name=op.f("fk_season_hosts_host_id")),
        sa.ForeignKeyConstraint(
            ["season_id"], ["seasons.id"], name=op.f("fk_season_hosts_season_id")
        ),
        sa.PrimaryKeyConstraint("season_id", "host_id", name=op.f("pk_season_hosts")),
    )
    op.create_table(
        "tallies",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_tallies_season_id")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tallies_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_tallies")),
    )
    op.create_table(
        "held_seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("held", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("margin", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_held_seats_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", "held", name=op.f("pk_held_seats")),
    )
    op.create_table(
        "played_on",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["hosts.id"], name=op.f("fk_played_on_host_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_played_on_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_played_on")),
    )
    op.create_table(
        "records",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seating", sa.JSON(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("words_pruned", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_records_match_id")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_records")),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("purse", sa.BigInteger(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("forgiven", sa.Integer(), nullable=False),
        sa.Column("struck_out", sa.Boolean(), nullable=False),
        sa.Column("slowest", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_seats_version_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("match_id", "version_id", name=op.f("uq_seats_match_id_version_id")),
    )
    op.create_index(
        op.f("ix_seats_version_id_match_id"), "seats", ["version_id", "match_id"], unique=False
    )
    op.create_index(
        op.f("ix_seats_version_id_season_id_match_id_mu_sigma"),
        "seats",
        ["version_id", "season_id", "match_id", "mu", "sigma"],
        unique=False,
    )
    op.create_table(
        "faults",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("cpu", sa.BigInteger(), nullable=False),
        sa.Column("peak", sa.BigInteger(), nullable=False),
        sa.Column("struck", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "version_id"],
            ["seats.match_id", "seats.version_id"],
            name=op.f("fk_faults_match_id_version_id"),
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_faults_version_id")),
        sa.PrimaryKeyConstraint("match_id", "record", "turn", name=op.f("pk_faults")),
    )
    op.create_index(
        op.f("ix_faults_version_id_match_id"), "faults", ["version_id", "match_id"], unique=False
    )
    op.create_table(
        "stderrs",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "record"],
            ["records.match_id", "records.number"],
            name=op.f("fk_stderrs_match_id_record"),
        ),
        sa.PrimaryKeyConstraint("match_id", "record", "seat", name=op.f("pk_stderrs")),
    )
    op.execute(
        leases.insert().values(
            id=1,
            holder="",
            until=sa.literal_column("'1970-01-01 00:00:00.000000'"),
            host="",
            machine="",
            pid=0,
            began="",
        )
    )
