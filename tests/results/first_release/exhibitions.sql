BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE answers (
	table_id INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	line TEXT NOT NULL,
	at DATETIME NOT NULL,
	CONSTRAINT pk_answers PRIMARY KEY (table_id, turn),
	CONSTRAINT fk_answers_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE hints (
	table_id INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	at DATETIME NOT NULL,
	answer TEXT,
	CONSTRAINT pk_hints PRIMARY KEY (table_id, turn, seat),
	CONSTRAINT fk_hints_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE keys (
	id INTEGER NOT NULL,
	"key" BLOB NOT NULL,
	CONSTRAINT pk_keys PRIMARY KEY (id)
);
CREATE TABLE seats (
	table_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	bot TEXT NOT NULL,
	version_id INTEGER,
	path TEXT NOT NULL,
	name TEXT NOT NULL,
	secret TEXT,
	prefixed BOOLEAN NOT NULL,
	away_since DATETIME,
	CONSTRAINT pk_seats PRIMARY KEY (table_id, number),
	CONSTRAINT fk_seats_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE tables (
	id INTEGER NOT NULL,
	"key" TEXT NOT NULL,
	game TEXT NOT NULL,
	version INTEGER NOT NULL,
	options JSON NOT NULL,
	conditions JSON NOT NULL,
	played_by TEXT NOT NULL,
	state TEXT NOT NULL,
	reason TEXT NOT NULL,
	created DATETIME NOT NULL,
	queued DATETIME,
	started DATETIME,
	finished DATETIME,
	code TEXT,
	creator INTEGER,
	address TEXT NOT NULL,
	seed BLOB NOT NULL,
	source JSON,
	hints JSON,
	scores JSON,
	CONSTRAINT pk_tables PRIMARY KEY (id),
	CONSTRAINT uq_tables_key UNIQUE ("key"),
	CONSTRAINT uq_tables_code UNIQUE (code)
);
CREATE TABLE turns (
	table_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	action TEXT NOT NULL,
	question TEXT NOT NULL,
	answer TEXT,
	wall BIGINT NOT NULL,
	cpu BIGINT NOT NULL,
	peak BIGINT NOT NULL,
	fault JSON,
	pack INTEGER,
	at DATETIME NOT NULL,
	CONSTRAINT pk_turns PRIMARY KEY (table_id, number),
	CONSTRAINT fk_turns_table_id FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_tables_created ON tables (created);
CREATE INDEX ix_tables_creator_created ON tables (creator, created);
CREATE INDEX ix_tables_address_created ON tables (address, created);
CREATE INDEX ix_tables_state_queued ON tables (state, queued);
COMMIT;
