BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE bots (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	author TEXT NOT NULL,
	withdrawn DATETIME,
	tags JSON NOT NULL,
	nonce TEXT,
	title TEXT,
	chosen INTEGER,
	deleted INTEGER NOT NULL,
	CONSTRAINT pk_bots PRIMARY KEY (id),
	CONSTRAINT uq_bots_name UNIQUE (name)
);
CREATE TABLE builds (
	version_id INTEGER NOT NULL,
	ok BOOLEAN NOT NULL,
	reason TEXT NOT NULL,
	log TEXT NOT NULL,
	built DATETIME NOT NULL,
	CONSTRAINT pk_builds PRIMARY KEY (version_id),
	CONSTRAINT fk_builds_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE entrants (
	season_id INTEGER NOT NULL,
	version_id INTEGER NOT NULL,
	place INTEGER NOT NULL,
	sits_out TEXT NOT NULL,
	points DOUBLE,
	rank INTEGER,
	tie_breaks JSON NOT NULL,
	legs JSON NOT NULL,
	mu DOUBLE,
	sigma DOUBLE,
	matches INTEGER NOT NULL,
	struck_out INTEGER NOT NULL,
	hands INTEGER NOT NULL,
	decisions INTEGER NOT NULL,
	faults INTEGER NOT NULL,
	forgiven INTEGER NOT NULL,
	slowest BIGINT NOT NULL,
	linked INTEGER,
	lately TEXT NOT NULL,
	CONSTRAINT pk_entrants PRIMARY KEY (season_id, version_id),
	CONSTRAINT fk_entrants_season_id FOREIGN KEY(season_id) REFERENCES seasons (id),
	CONSTRAINT fk_entrants_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE evaluations (
	"key" TEXT NOT NULL,
	scores JSON NOT NULL,
	reason TEXT NOT NULL,
	CONSTRAINT pk_evaluations PRIMARY KEY ("key")
);
CREATE TABLE faults (
	match_id INTEGER NOT NULL,
	record INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	version_id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	code TEXT NOT NULL,
	facts JSON NOT NULL,
	question TEXT NOT NULL,
	answer TEXT NOT NULL,
	wall BIGINT NOT NULL,
	cpu BIGINT NOT NULL,
	peak BIGINT NOT NULL,
	struck BOOLEAN NOT NULL,
	CONSTRAINT pk_faults PRIMARY KEY (match_id, record, turn),
	CONSTRAINT fk_faults_match_id_version_id FOREIGN KEY(match_id, version_id) REFERENCES seats (match_id, version_id),
	CONSTRAINT fk_faults_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE held_seats (
	match_id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	held TEXT NOT NULL,
	seats INTEGER NOT NULL,
	games INTEGER NOT NULL,
	score BIGINT NOT NULL,
	margin DOUBLE NOT NULL,
	CONSTRAINT pk_held_seats PRIMARY KEY (match_id, seat, held),
	CONSTRAINT fk_held_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE held_seats_sums (
	season_id INTEGER NOT NULL,
	version_id INTEGER NOT NULL,
	leg INTEGER NOT NULL,
	seats INTEGER NOT NULL,
	held TEXT NOT NULL,
	matches INTEGER NOT NULL,
	games INTEGER NOT NULL,
	score BIGINT NOT NULL,
	x DOUBLE NOT NULL,
	xx DOUBLE NOT NULL,
	xn DOUBLE NOT NULL,
	nn DOUBLE NOT NULL,
	CONSTRAINT pk_held_seats_sums PRIMARY KEY (season_id, version_id, leg, seats, held),
	CONSTRAINT fk_held_seats_sums_season_id FOREIGN KEY(season_id) REFERENCES seasons (id),
	CONSTRAINT fk_held_seats_sums_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE hosts (
	id INTEGER NOT NULL,
	digest TEXT NOT NULL,
	name TEXT NOT NULL,
	facts JSON NOT NULL,
	joined DATETIME NOT NULL,
	CONSTRAINT pk_hosts PRIMARY KEY (id),
	CONSTRAINT uq_hosts_digest UNIQUE (digest)
);
CREATE TABLE interventions (
	season_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	entry INTEGER NOT NULL,
	made DATETIME NOT NULL,
	kind TEXT NOT NULL,
	reason TEXT NOT NULL,
	version_id INTEGER,
	"key" VARCHAR,
	entrant JSON,
	"after" INTEGER NOT NULL,
	lifted DATETIME,
	CONSTRAINT pk_interventions PRIMARY KEY (season_id, number),
	CONSTRAINT fk_interventions_season_id FOREIGN KEY(season_id) REFERENCES seasons (id),
	CONSTRAINT fk_interventions_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE leases (
	id INTEGER NOT NULL,
	holder TEXT NOT NULL,
	until DATETIME NOT NULL,
	host TEXT NOT NULL,
	machine TEXT NOT NULL,
	pid INTEGER NOT NULL,
	began TEXT NOT NULL,
	CONSTRAINT pk_leases PRIMARY KEY (id)
);
INSERT INTO "leases" VALUES(1,'','1970-01-01 00:00:00.000000','','',0,'');
CREATE TABLE ledger (
	tournament_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	season INTEGER NOT NULL,
	kind TEXT NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_ledger PRIMARY KEY (tournament_id, number),
	CONSTRAINT fk_ledger_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
);
CREATE TABLE legs (
	season_id INTEGER NOT NULL,
	leg INTEGER NOT NULL,
	matches INTEGER NOT NULL,
	newest DATETIME NOT NULL,
	CONSTRAINT pk_legs PRIMARY KEY (season_id, leg),
	CONSTRAINT fk_legs_season_id FOREIGN KEY(season_id) REFERENCES seasons (id)
);
CREATE TABLE manifests (
	season_id INTEGER NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_manifests PRIMARY KEY (season_id),
	CONSTRAINT fk_manifests_season_id FOREIGN KEY(season_id) REFERENCES seasons (id)
);
CREATE TABLE matches (
	id INTEGER NOT NULL,
	season_id INTEGER NOT NULL,
	"key" VARCHAR NOT NULL,
	leg INTEGER NOT NULL,
	round INTEGER NOT NULL,
	games INTEGER NOT NULL,
	seconds DOUBLE NOT NULL,
	labels JSON NOT NULL,
	shoe JSON NOT NULL,
	boards JSON NOT NULL,
	luck JSON,
	penalties JSON,
	stored DATETIME NOT NULL,
	annulled BOOLEAN NOT NULL,
	CONSTRAINT pk_matches PRIMARY KEY (id),
	CONSTRAINT uq_matches_key UNIQUE ("key"),
	CONSTRAINT fk_matches_season_id FOREIGN KEY(season_id) REFERENCES seasons (id)
);
CREATE TABLE moves (
	id INTEGER NOT NULL,
	bot_id INTEGER NOT NULL,
	made DATETIME NOT NULL,
	name TEXT NOT NULL,
	author TEXT NOT NULL,
	new_name TEXT NOT NULL,
	new_author TEXT NOT NULL,
	reason TEXT NOT NULL,
	CONSTRAINT pk_moves PRIMARY KEY (id),
	CONSTRAINT fk_moves_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id)
);
CREATE TABLE played_on (
	match_id INTEGER NOT NULL,
	host_id INTEGER NOT NULL,
	CONSTRAINT pk_played_on PRIMARY KEY (match_id),
	CONSTRAINT fk_played_on_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_played_on_host_id FOREIGN KEY(host_id) REFERENCES hosts (id)
);
CREATE TABLE records (
	match_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	seating JSON NOT NULL,
	data BLOB NOT NULL,
	words_pruned DATETIME,
	CONSTRAINT pk_records PRIMARY KEY (match_id, number),
	CONSTRAINT fk_records_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE reviews (
	"match" VARCHAR NOT NULL,
	author TEXT NOT NULL,
	asked DATETIME NOT NULL,
	finished DATETIME,
	failed TEXT NOT NULL,
	reviewer TEXT NOT NULL,
	digest TEXT NOT NULL,
	prefix BOOLEAN NOT NULL,
	CONSTRAINT pk_reviews PRIMARY KEY ("match")
);
CREATE TABLE season_hosts (
	season_id INTEGER NOT NULL,
	host_id INTEGER NOT NULL,
	matches INTEGER NOT NULL,
	CONSTRAINT pk_season_hosts PRIMARY KEY (season_id, host_id),
	CONSTRAINT fk_season_hosts_season_id FOREIGN KEY(season_id) REFERENCES seasons (id),
	CONSTRAINT fk_season_hosts_host_id FOREIGN KEY(host_id) REFERENCES hosts (id)
);
CREATE TABLE seasons (
	id INTEGER NOT NULL,
	tournament_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	settings JSON NOT NULL,
	rated BOOLEAN NOT NULL,
	seed BLOB NOT NULL,
	due DATETIME NOT NULL,
	started DATETIME NOT NULL,
	finished DATETIME,
	planned INTEGER,
	at_most BOOLEAN NOT NULL,
	panels JSON NOT NULL,
	queue JSON NOT NULL,
	manifest TEXT NOT NULL,
	key_from TEXT NOT NULL,
	value_from JSON,
	public_value TEXT,
	rules INTEGER NOT NULL,
	unrated_from VARCHAR,
	annulled BOOLEAN NOT NULL,
	CONSTRAINT pk_seasons PRIMARY KEY (id),
	CONSTRAINT uq_seasons_tournament_id_number UNIQUE (tournament_id, number),
	CONSTRAINT fk_seasons_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id)
);
CREATE TABLE seats (
	match_id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	season_id INTEGER NOT NULL,
	version_id INTEGER NOT NULL,
	side INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	score BIGINT NOT NULL,
	purse BIGINT,
	hands INTEGER NOT NULL,
	decisions INTEGER NOT NULL,
	faults INTEGER NOT NULL,
	forgiven INTEGER NOT NULL,
	struck_out BOOLEAN NOT NULL,
	slowest BIGINT NOT NULL,
	mu DOUBLE,
	sigma DOUBLE,
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat),
	CONSTRAINT uq_seats_match_id_version_id UNIQUE (match_id, version_id),
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_seats_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE TABLE services (
	name TEXT NOT NULL,
	host TEXT NOT NULL,
	machine TEXT NOT NULL,
	pid INTEGER NOT NULL,
	began TEXT NOT NULL,
	starts JSON NOT NULL,
	seen DATETIME NOT NULL,
	turned DATETIME,
	playing JSON NOT NULL,
	troubles JSON NOT NULL,
	ended TEXT NOT NULL,
	CONSTRAINT pk_services PRIMARY KEY (name)
);
CREATE TABLE stderrs (
	match_id INTEGER NOT NULL,
	record INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_stderrs PRIMARY KEY (match_id, record, seat),
	CONSTRAINT fk_stderrs_match_id_record FOREIGN KEY(match_id, record) REFERENCES records (match_id, number)
);
CREATE TABLE tallies (
	tournament_id INTEGER NOT NULL,
	season_id INTEGER NOT NULL,
	data BLOB NOT NULL,
	CONSTRAINT pk_tallies PRIMARY KEY (tournament_id),
	CONSTRAINT fk_tallies_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id),
	CONSTRAINT fk_tallies_season_id FOREIGN KEY(season_id) REFERENCES seasons (id)
);
CREATE TABLE tournaments (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	announced JSON,
	next_seed BLOB,
	paused TEXT,
	CONSTRAINT pk_tournaments PRIMARY KEY (id),
	CONSTRAINT uq_tournaments_name UNIQUE (name)
);
CREATE TABLE versions (
	id INTEGER NOT NULL,
	bot_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	games JSON NOT NULL,
	protocol TEXT NOT NULL,
	language TEXT NOT NULL,
	about TEXT NOT NULL,
	tags JSON NOT NULL,
	digest TEXT NOT NULL,
	submitted DATETIME NOT NULL,
	archive BLOB NOT NULL,
	CONSTRAINT pk_versions PRIMARY KEY (id),
	CONSTRAINT uq_versions_bot_id_number UNIQUE (bot_id, number),
	CONSTRAINT fk_versions_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id)
);
CREATE INDEX ix_moves_bot_id ON moves (bot_id);
CREATE INDEX ix_moves_name ON moves (name);
CREATE INDEX ix_ledger_season ON ledger (tournament_id, season, kind);
CREATE UNIQUE INDEX ix_ledger_once ON ledger (tournament_id, season, kind) WHERE kind IN ('announce', 'begin', 'unshown', 'value', 'finish');
CREATE INDEX ix_entrants_version_id ON entrants (version_id);
CREATE INDEX ix_matches_season_id_id ON matches (season_id, id);
CREATE INDEX ix_matches_season_id_leg_key ON matches (season_id, leg, "key");
CREATE INDEX ix_matches_season_id_key ON matches (season_id, "key");
CREATE INDEX ix_held_seats_sums_version_id ON held_seats_sums (version_id);
CREATE INDEX ix_interventions_key ON interventions ("key");
CREATE INDEX ix_interventions_version_id ON interventions (version_id);
CREATE INDEX ix_seats_version_id_match_id ON seats (version_id, match_id);
CREATE INDEX ix_seats_version_id_season_id_match_id_mu_sigma ON seats (version_id, season_id, match_id, mu, sigma);
CREATE INDEX ix_faults_version_id_match_id ON faults (version_id, match_id);
COMMIT;
