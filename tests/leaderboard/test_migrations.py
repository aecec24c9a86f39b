"""Opening databases: new, old, newer, foreign and broken ones."""

import json
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url, select, text

from leaderboard.storage.entries import Placing
from leaderboard.storage.migrations import HEAD
from leaderboard.storage.models import Base, EntrantRow, FaultRow, MatchRow, RecordRow
from leaderboard.storage.store import Store, StoreError
from tests.leaderboard.made import made_bots

TOP = Path(__file__).parents[2]

FIRST_REVISION = [
    "INSERT INTO bots VALUES (1, 'ann', 'ada'), (2, 'bob', 'ada')",
    *(
        f"INSERT INTO versions VALUES"
        f" ({n}, {bot}, {n}, '[]', 'argv', '', '', '[]', '', :now, :none)"
        for n, bot in ((1, 1), (2, 2), (3, 2))
    ),
    "INSERT INTO tournaments VALUES (1, 'friday')",
    "INSERT INTO seasons VALUES (1, 1, 1, '{}', 'chips', :none, :now, :now, NULL)",
    *(
        f"INSERT INTO matches VALUES ({n}, 1, 'friday/0001/t01/r{n}/a', 1, {n}, 0.5, :now)"
        for n in (1, 2)
    ),
    *(
        f"INSERT INTO seats VALUES ({match}, {seat}, {version}, {1 - seat}, {3 + 2 * seat}, NULL,"
        f" 5, 1, 3, {seat}, false, {1000 + seat}, NULL, NULL)"
        for match, seat, version in ((1, 0, 1), (1, 1, 2), (2, 0, 2), (2, 1, 1))
    ),
    *(
        f"INSERT INTO faults VALUES ({match}, 0, 2, 1, {version}, 'crash', 'crash in turn 0',"
        " 'ask 1 0', '?', 'Traceback: oh', true)"
        for match, version in ((1, 2), (2, 1))
    ),
]
"""A season of two matches of two bots, in which the second seat crashes once."""


def test_the_migrations_end_in_the_tables_of_the_models(store: Store):
    with store.database.reading() as session:
        context = MigrationContext.configure(session.connection())
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, Base.metadata) == []


def test_the_head_that_is_known_without_alembic_is_the_newest_migration():
    scripts = ScriptDirectory(str(TOP / "leaderboard/storage/migrations"))
    assert scripts.get_current_head() == HEAD


def test_a_database_that_is_up_to_date_is_opened_without_alembic(url: str, store: Store):
    code = (
        "import sys; from leaderboard.storage.store import Store;"
        f"Store({url!r}).close(); print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True)
    assert ran.stdout == "False\n", ran.stderr


def test_a_new_file_is_made_with_its_folder(tmp_path: Path):
    Store(f"sqlite:///{tmp_path}/var/deep/arena.db").close()
    assert (tmp_path / "var/deep/arena.db").exists()


def test_what_was_stored_is_there_when_it_is_opened_again(url: str, store: Store):
    made_bots(store, "ann")
    again = Store(url)
    assert again.version("ann").label == "ann v1"
    again.close()


def test_a_season_of_the_first_revision_is_one_of_single_games_and_rated(url: str):
    """Two rows of every kind, as the first revision had them; its records can't be read."""
    turn = {"seat": 1, "action": "pass", "wall": 1, "cpu": 1, "fault": None}
    record = zlib.compress(json.dumps({"game": "snap", "version": 1, "turns": [turn]}).encode())
    engine = create_engine(make_url(url))
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "leaderboard.storage:migrations")
        command.upgrade(config, "0001")
        for statement in FIRST_REVISION:
            connection.execute(text(statement), {"now": "2026-01-02 20:00:00", "none": b""})
        data = {"data": record}
        connection.execute(text("INSERT INTO records VALUES (1, 0, :data), (2, 0, :data)"), data)
    engine.dispose()

    store = Store(url)
    (season,) = store.seasons("friday")
    assert season.rated
    assert [store.version(name).withdrawn for name in ("ann", "bob")] == [None, None]
    first, second = store.checked(season.id)
    assert (first.versions, second.versions) == ((1, 2), (2, 1))
    for match in (first, second):
        assert match.sides == (0, 1)
        (difference,) = match.differences
        assert "game 1 of match friday/0001/t01/r" in str(difference)
        assert "it is written in format 1 of records, this arena reads format 2" in str(difference)
    with store.database.reading() as db:
        assert db.scalars(select(RecordRow.seating)).all() == [[0, 1]] * 2
        assert db.scalars(select(FaultRow.wall)).all() == [0, 0]
    with pytest.raises(Exception, match=r"FOREIGN KEY|foreign key"), store.database.writing() as db:
        db.execute(text("UPDATE faults SET version_id = 3"))
    store.close()


def test_tags_that_bots_were_chosen_by_become_the_organisers(url: str):
    """Those of the newest version, which alone was chosen: tournaments keep their entrants."""
    engine = create_engine(make_url(url))
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "leaderboard.storage:migrations")
        command.upgrade(config, "0004")
        for bot, name in ((1, "ann"), (2, "bob")):
            bots = text("INSERT INTO bots VALUES (:id, :name, 'ada', NULL)")
            connection.execute(bots, {"id": bot, "name": name})
        versions = text(
            "INSERT INTO versions VALUES"
            " (:id, :bot, :number, '[]', 'argv', '', '', :tags, '', '2026-01-02 20:00:00', :none)"
        )
        for row, bot, number, tags in (
            (1, 1, 2, '["house", "fast"]'),
            (2, 1, 1, '["old"]'),
            (3, 2, 1, "[]"),
        ):
            values = {"id": row, "bot": bot, "number": number, "tags": tags, "none": b""}
            connection.execute(versions, values)
    engine.dispose()

    store = Store(url)
    assert store.version("ann").organiser_tags == ("fast", "house")
    assert store.version("ann").tags == ("house", "fast")
    assert store.version("bob").organiser_tags == ()
    store.close()


def test_standings_and_labels_are_filled_in_for_seasons_from_before(url: str):
    """A season of one leg and one of two, in which two bots are level."""
    engine = create_engine(make_url(url))
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "leaderboard.storage:migrations")
        command.upgrade(config, "0001")
        for statement in FIRST_REVISION:
            connection.execute(text(statement), {"now": "2026-01-02 20:00:00", "none": b""})
        command.upgrade(config, "0007")
        for statement in (
            "INSERT INTO entrants (season_id, version_id, place, sits_out, points)"
            " VALUES (1, 1, 0, '', 7.5), (1, 2, 1, '', 9), (1, 3, 2, '', 7.5)",
            "INSERT INTO seasons (id, tournament_id, number, settings, points_title, seed, due,"
            " started, rated) SELECT 2, 1, 2, '{\"tourneys\": 2}', 'chips', seed, due, started,"
            " rated FROM seasons",
            "INSERT INTO entrants (season_id, version_id, place, sits_out, points)"
            " VALUES (2, 1, 0, '', 1), (2, 2, 1, 'no box', NULL)",
            "INSERT INTO matches (id, season_id, key, leg, round, seconds, stored)"
            " SELECT 3, 2, 'friday/0002/t02/r1/12', 2, 1, 0.5, stored FROM matches WHERE id = 1",
        ):
            connection.execute(text(statement))
    engine.dispose()

    store = Store(url)
    first, second = (store.standings(season.id) for season in store.seasons("friday"))
    assert first == (Placing(2, 1, 9.0), Placing(1, 2, 7.5), Placing(3, 2, 7.5))
    assert second == (Placing(1, 1, 1.0),)
    with store.database.reading() as db:
        labels = db.scalars(select(MatchRow.labels).order_by(MatchRow.id)).all()
        assert db.scalars(select(MatchRow.boards)).all() == [None] * 3
    assert labels == [
        ["round 1", "table A"],
        ["round 2", "table A"],
        ["leg 2", "round 1", "table 12"],
    ]
    store.close()


def test_what_legs_came_to_is_filled_in_for_finished_seasons_of_chips(url: str):
    """Bot 2 sits out the last round of a leg, and ends the other one with too little to go on."""
    engine = create_engine(make_url(url))
    seasons = (
        (1, '{"game": "blackjack", "tourneys": 2, "rounds": 2}', "'2026-01-02 21:00:00'"),
        (2, '{"game": "blackjack", "broke": "chips"}', "'2026-01-02 21:00:00'"),
        (3, '{"game": "blackjack", "duplicate": true}', "'2026-01-02 21:00:00'"),
        (4, '{"game": "blackjack"}', "NULL"),
    )
    held = {(1, 1): (180, 220), (1, 2): (190,), (2, 1): (0,), (2, 2): (60, 5)}
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "leaderboard.storage:migrations")
        command.upgrade(config, "0001")
        for statement in FIRST_REVISION[:5]:
            connection.execute(text(statement), {"now": "2026-01-02 20:00:00", "none": b""})
        command.upgrade(config, "0017")
        for season, settings, finished in seasons:
            values = {"id": season, "settings": settings, "none": b""}
            statement = (
                "INSERT INTO seasons (id, tournament_id, number, settings, points_title, seed, due,"
                " started, finished, rated, key_from) VALUES (:id, 1, :id, :settings, 'chips',"
                f" :none, '2026-01-02 20:00:00', '2026-01-02 20:00:00', {finished}, true, 'seed')"
            )
            connection.execute(text(statement), values)
            for version in (1, 2):
                statement = (
                    "INSERT INTO entrants (season_id, version_id, place, sits_out)"
                    " VALUES (:season, :version, :version, '')"
                )
                connection.execute(text(statement), {"season": season, "version": version})
            for number, ((leg, version), purses) in enumerate(held.items()):
                for place, purse in enumerate(purses):
                    match = 100 * season + 10 * number + place
                    values = {
                        "id": match,
                        "season": season,
                        "key": f"friday/{season:04}/t{leg:02}/r{place + 1}/{version}",
                        "leg": leg,
                        "round": place + 1,
                    }
                    statement = (
                        "INSERT INTO matches (id, season_id, key, leg, round, games, seconds,"
                        " labels, shoe, stored) VALUES (:id, :season, :key, :leg, :round, 1, 0.5,"
                        " '[]', '[]', '2026-01-02 20:00:00')"
                    )
                    connection.execute(text(statement), values)
                    seat = {"match": match, "version": version, "purse": purse}
                    statement = (
                        "INSERT INTO seats (match_id, seat, version_id, side, rank, score, purse,"
                        " hands, won, decisions, faults, struck_out, slowest) VALUES (:match, 0,"
                        " :version, 0, 0, 0, :purse, 1, 0, 1, 0, false, 1)"
                    )
                    connection.execute(text(statement), seat)
    engine.dispose()

    store = Store(url)
    with store.database.reading() as db:
        rows = db.execute(
            select(EntrantRow.season_id, EntrantRow.version_id, EntrantRow.legs).order_by(
                EntrantRow.season_id, EntrantRow.version_id
            )
        )
        legs = {(row.season_id, row.version_id): row.legs for row in rows}
    store.close()
    assert legs[1, 1] == legs[2, 1] == [[1, 220], [2, 0]]
    assert legs[1, 2] == [[1, 190], [2, 0]]
    assert legs[2, 2] == [[1, 190], [2, 5]]
    assert [legs[season, version] for season in (3, 4) for version in (1, 2)] == [[]] * 4


def test_programs_that_open_a_new_database_together_both_succeed(url: str):
    code = f"from leaderboard.storage.store import Store; Store({url!r}).close()"
    programs = [subprocess.Popen([sys.executable, "-c", code], cwd=TOP) for _ in range(2)]
    assert [program.wait() for program in programs] == [0, 0]


def test_a_database_of_a_newer_version_is_refused(file_url: str, tmp_path: Path):
    Store(file_url).close()
    connection = sqlite3.connect(tmp_path / "arena.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"newer version of the arena: .* revision 9999"):
        Store(file_url)


def test_somebody_elses_database_is_left_alone(file_url: str, tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "arena.db")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(StoreError, match=r"arena\.db holds tables that are not the arena's"):
        Store(file_url)


def test_a_file_that_is_no_database_is_refused(file_url: str, tmp_path: Path):
    (tmp_path / "arena.db").write_text("dear diary, " * 100)
    with pytest.raises(StoreError, match=r"arena\.db is not a SQLite database"):
        Store(file_url)
    assert (tmp_path / "arena.db").read_text().startswith("dear diary")


def test_a_folder_is_no_database(tmp_path: Path):
    with pytest.raises(StoreError, match="can't be opened: is it a file that you may write"):
        Store(f"sqlite:///{tmp_path}")


def test_a_file_under_a_file_is_refused(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/arena\.db can't be made"):
        Store(f"sqlite:///{tmp_path}/file/arena.db")


@pytest.mark.parametrize("url", ["mysql://u@h/arena", "arena.db", "", "redis://u:secret@h/0"])
def test_an_address_of_another_kind_is_refused(url: str):
    with pytest.raises(
        StoreError, match="is not a database address: expected sqlite:///"
    ) as caught:
        Store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url: str):
    with pytest.raises(StoreError, match="names no file"):
        Store(url)


def test_postgresql_without_its_driver_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("leaderboard.storage.database.find_spec", lambda name: None)
    with pytest.raises(StoreError, match="PostgreSQL needs the psycopg package"):
        Store("postgresql://ada@localhost/arena")


def test_a_server_that_is_not_there_is_told_without_the_password():
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="is out of reach") as caught:
        Store("postgresql://ada:secret@127.0.0.1:9/arena")
    assert "secret" not in str(caught.value)
