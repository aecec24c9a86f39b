BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE aliases (
	tournament TEXT NOT NULL,
	bot TEXT NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_aliases PRIMARY KEY (tournament, bot),
	CONSTRAINT uq_aliases_tournament_number UNIQUE (tournament, number)
);
CREATE TABLE audit_log (
	id INTEGER NOT NULL,
	at DATETIME NOT NULL,
	person_id INTEGER,
	what TEXT NOT NULL,
	about TEXT NOT NULL,
	details JSON NOT NULL,
	state TEXT NOT NULL,
	answer TEXT NOT NULL,
	organiser BOOLEAN NOT NULL,
	CONSTRAINT pk_audit_log PRIMARY KEY (id),
	CONSTRAINT fk_audit_log_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE dismissals (
	message_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	CONSTRAINT pk_dismissals PRIMARY KEY (message_id, person_id),
	CONSTRAINT fk_dismissals_message_id FOREIGN KEY(message_id) REFERENCES messages (id),
	CONSTRAINT fk_dismissals_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE identities (
	provider TEXT NOT NULL,
	subject TEXT NOT NULL,
	person_id INTEGER NOT NULL,
	CONSTRAINT pk_identities PRIMARY KEY (provider, subject),
	CONSTRAINT fk_identities_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE invitations (
	id INTEGER NOT NULL,
	team_id INTEGER NOT NULL,
	email TEXT NOT NULL,
	"by" INTEGER NOT NULL,
	made DATETIME NOT NULL,
	token_id INTEGER,
	expires DATETIME,
	CONSTRAINT pk_invitations PRIMARY KEY (id),
	CONSTRAINT uq_invitations_team_id_email UNIQUE (team_id, email),
	CONSTRAINT fk_invitations_team_id FOREIGN KEY(team_id) REFERENCES teams (id),
	CONSTRAINT fk_invitations_by FOREIGN KEY("by") REFERENCES people (id)
);
CREATE TABLE limits (
	team_id INTEGER NOT NULL,
	a_day INTEGER,
	size INTEGER,
	bots INTEGER,
	bots_a_person INTEGER,
	deadline DATETIME,
	grace DOUBLE,
	reason TEXT NOT NULL,
	CONSTRAINT pk_limits PRIMARY KEY (team_id)
);
CREATE TABLE links (
	sha256 TEXT NOT NULL,
	person_id INTEGER NOT NULL,
	made DATETIME NOT NULL,
	expires DATETIME NOT NULL,
	used DATETIME,
	token_id INTEGER,
	CONSTRAINT pk_links PRIMARY KEY (sha256),
	CONSTRAINT fk_links_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE members (
	team_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	CONSTRAINT pk_members PRIMARY KEY (team_id, person_id),
	CONSTRAINT fk_members_team_id FOREIGN KEY(team_id) REFERENCES teams (id),
	CONSTRAINT fk_members_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE messages (
	id INTEGER NOT NULL,
	team_id INTEGER,
	text TEXT NOT NULL,
	written DATETIME NOT NULL,
	ends DATETIME,
	CONSTRAINT pk_messages PRIMARY KEY (id),
	CONSTRAINT fk_messages_team_id FOREIGN KEY(team_id) REFERENCES teams (id)
);
CREATE TABLE pastes (
	person_id INTEGER NOT NULL,
	upload_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	language TEXT NOT NULL,
	protocol TEXT NOT NULL,
	games JSON NOT NULL,
	source TEXT NOT NULL,
	CONSTRAINT pk_pastes PRIMARY KEY (person_id),
	CONSTRAINT fk_pastes_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_pastes_upload_id FOREIGN KEY(upload_id) REFERENCES uploads (id)
);
CREATE TABLE people (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	email TEXT NOT NULL,
	role TEXT NOT NULL,
	joined DATETIME NOT NULL,
	suspended DATETIME,
	CONSTRAINT pk_people PRIMARY KEY (id),
	CONSTRAINT uq_people_email UNIQUE (email)
);
CREATE TABLE sessions (
	sha256 TEXT NOT NULL,
	person_id INTEGER NOT NULL,
	made DATETIME NOT NULL,
	seen DATETIME NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (sha256),
	CONSTRAINT fk_sessions_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE standings_snapshots (
	season_id INTEGER NOT NULL,
	tournament TEXT NOT NULL,
	frozen DATETIME NOT NULL,
	taken DATETIME NOT NULL,
	standings JSON NOT NULL,
	CONSTRAINT pk_standings_snapshots PRIMARY KEY (season_id)
);
CREATE TABLE students (
	person_id INTEGER NOT NULL,
	number TEXT,
	reason TEXT NOT NULL,
	deadline DATETIME,
	CONSTRAINT pk_students PRIMARY KEY (person_id),
	CONSTRAINT uq_students_number UNIQUE (number),
	CONSTRAINT fk_students_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE teams (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	made DATETIME NOT NULL,
	author TEXT,
	CONSTRAINT pk_teams PRIMARY KEY (id),
	CONSTRAINT uq_teams_name UNIQUE (name)
);
CREATE TABLE tokens (
	id INTEGER NOT NULL,
	sha256 TEXT NOT NULL,
	person_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	scope TEXT NOT NULL,
	made DATETIME NOT NULL,
	expires DATETIME NOT NULL,
	used DATETIME,
	revoked DATETIME,
	CONSTRAINT pk_tokens PRIMARY KEY (id),
	CONSTRAINT uq_tokens_sha256 UNIQUE (sha256),
	CONSTRAINT fk_tokens_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE uploads (
	id INTEGER NOT NULL,
	team_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	received DATETIME NOT NULL,
	filename TEXT NOT NULL,
	file TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	size INTEGER NOT NULL,
	state TEXT NOT NULL,
	changed DATETIME NOT NULL,
	settled DATETIME,
	bot TEXT NOT NULL,
	number INTEGER,
	version_id INTEGER,
	reason TEXT NOT NULL,
	log TEXT NOT NULL,
	remarks TEXT NOT NULL,
	began DATETIME,
	steps JSON NOT NULL,
	late BOOLEAN NOT NULL,
	CONSTRAINT pk_uploads PRIMARY KEY (id),
	CONSTRAINT fk_uploads_team_id FOREIGN KEY(team_id) REFERENCES teams (id),
	CONSTRAINT fk_uploads_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
CREATE TABLE visibility (
	tournament TEXT NOT NULL,
	names TEXT NOT NULL,
	top INTEGER,
	frozen DATETIME,
	CONSTRAINT pk_visibility PRIMARY KEY (tournament)
);
CREATE UNIQUE INDEX ix_teams_author ON teams (author);
CREATE INDEX ix_sessions_person_id ON sessions (person_id);
CREATE INDEX ix_identities_person_id ON identities (person_id);
CREATE INDEX ix_members_person_id ON members (person_id);
CREATE INDEX ix_invitations_token_id ON invitations (token_id);
CREATE INDEX ix_invitations_email ON invitations (email);
CREATE INDEX ix_links_person_id ON links (person_id);
CREATE INDEX ix_links_token_id ON links (token_id);
CREATE INDEX ix_tokens_person_id ON tokens (person_id);
CREATE INDEX ix_audit_log_about_id ON audit_log (about, id);
CREATE INDEX ix_audit_log_state_id ON audit_log (state, id);
CREATE INDEX ix_audit_log_person_id_id ON audit_log (person_id, id);
CREATE INDEX ix_uploads_team_id_id ON uploads (team_id, id);
CREATE INDEX ix_uploads_state_id ON uploads (state, id);
CREATE INDEX ix_uploads_version_id ON uploads (version_id);
CREATE INDEX ix_uploads_team_id_sha256 ON uploads (team_id, sha256);
CREATE INDEX ix_pastes_upload_id ON pastes (upload_id);
CREATE INDEX ix_dismissals_person_id ON dismissals (person_id);
COMMIT;
