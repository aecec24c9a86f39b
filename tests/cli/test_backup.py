"""`backup`, `restore` and `copy`, as they are typed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from card_arena.results.store import Store
from card_arena.tests.cli.home import PATIENCE, QUICK, Home, wait_for
from card_arena.tests.tournament import stage

MATCHES = 56
SEASON = QUICK.replace("legs: 2, rounds: 2", "legs: 14, rounds: 4")


def stored(database: Path) -> int:
    """How many matches are stored."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])
    except sqlite3.OperationalError:  # no tables yet
        return 0


def points(database: Path) -> list[tuple[int, int, float]]:
    with closing(Store(f"sqlite:///{database}")) as store:
        (season,) = store.seasons("small")
        return [(each.version, each.rank, each.points) for each in store.standings(season.id)]


def test_a_season_goes_on_from_a_backup_that_was_taken_while_it_was_played(house: Home) -> None:
    house.tournament(SEASON)
    running = house.start("run", "--once", "small", "--seed", stage.SEED.hex())
    wait_for(lambda: stored(house.database) >= 3)
    told = house.done("db", "backup", "running.db")
    output, errors = running.communicate(timeout=PATIENCE)
    assert (running.returncode, errors) == (0, ""), output
    assert "1 season" in told

    other = house.folder / "other.db"
    restored = house.done("db", "restore", "running.db", "--database", "sqlite:///other.db")
    assert 3 <= stored(other) < stored(house.database) == MATCHES
    assert told.splitlines()[1] in restored, "the head of the ledger is the same"
    resumed = house.done("run", "--once", "small", "--database", "sqlite:///other.db")
    assert "small, season 1 resumes" in resumed
    assert points(other) == points(house.database)
    assert "everything is as it was stored" in house.done(
        "verify", "--database", "sqlite:///other.db"
    )


def test_a_database_that_holds_something_is_replaced_only_if_that_is_wanted(house: Home) -> None:
    house.done("db", "backup", "bots.db")
    house.tournament(QUICK)
    house.done("run", "--until-idle")
    told = house.refused("db", "restore", "bots.db")
    assert "is not empty: it holds 3 bots, 1 tournament, 1 season, 4 matches. Use --replace" in told
    assert stored(house.database) == 4
    restored = house.done("db", "restore", "--replace", "bots.db")
    assert "restored 3 bots, 0 tournaments, 0 seasons, 0 matches from bots.db" in restored
    assert stored(house.database) == 0


def test_a_database_that_is_played_in_is_not_replaced(house: Home) -> None:
    from card_arena.results.lease import Lease

    house.done("db", "backup", "bots.db")
    with (
        closing(Store(f"sqlite:///{house.database}")) as store,
        Lease(store.database),
    ):
        code, _, told = house.run("db", "restore", "--replace", "bots.db")
    assert code == 1
    assert "another arena is playing the tournaments of var/arena.db" in told


def test_a_database_is_copied_to_another_address(house: Home) -> None:
    copied = house.done("db", "copy", "sqlite:///var/arena.db", "sqlite:///new/arena.db")
    assert "copied 3 bots, 0 tournaments, 0 seasons, 0 matches to new/arena.db" in copied
    assert house.done("show", "bots") == house.done(
        "show", "bots", "--database", "sqlite:///new/arena.db"
    )
    told = house.refused("db", "copy", "sqlite:///var/arena.db", "sqlite:///new/arena.db")
    assert "new/arena.db is not empty: it holds 3 bots" in told


def test_an_arena_is_backed_up_and_copied_with_its_accounts(house: Home) -> None:
    house.done("people", "invite", "--name", "Ann", "--email", "ann@example.org")
    told = house.done("db", "backup", "monday.db")
    assert "3 bots, 0 tournaments, 0 seasons, 0 matches, and on the site 1 person, 1 team, " in told
    assert (house.folder / "monday.accounts.db").exists()
    told = house.done("db", "restore", "monday.db", "--database", "sqlite:///new/arena.db")
    assert "and on the site 1 person" in told
    assert "new/arena.accounts.key is in no backup: remove it to sign everybody out" in told
    house.done(
        "people", "invite", "--email", "bob@example.org", "--database", "sqlite:///new/arena.db"
    )
    told = house.refused("db", "restore", "monday.db", "--database", "sqlite:///new/arena.db")
    assert "new/arena.accounts.db is not empty: it holds 2 people, 2 teams, 0 uploads" in told
    told = house.done("db", "copy", "sqlite:///new/arena.db", "sqlite:///newer/arena.db")
    assert "and on the site 2 people, 2 teams, 0 uploads to newer/arena.db" in told
    (house.folder / "monday.accounts.db").unlink()
    assert house.refused("db", "restore", "monday.db", "--replace") == (
        "monday.db belongs with monday.accounts.db, which is not there: put it beside"
    )
    assert "the logs of 0 uploads: 0 B" in house.done("db", "prune")


def test_mistakes_with_backups_are_told_in_a_sentence(house: Home) -> None:
    assert house.refused("db", "backup", "var/arena.db") == (
        "var/arena.db is the database itself. Name another file."
    )
    assert house.refused("db", "restore", "gone.db") == "there is no backup gone.db"
    assert not (house.folder / "new").exists()
    told = house.refused("db", "copy", "sqlite:///gone.db", "sqlite:///new/arena.db")
    assert told == "Database gone.db not found. Check the first address."
    assert not (house.folder / "gone.db").exists()
    told = house.refused("db", "copy", "sqlite:///var/arena.db", "sqlite:///var/../var/arena.db")
    assert told.startswith("Both addresses name the same database.")
    assert house.refused("db", "backup", "nowhere/b.db") == (
        "nowhere/b.db can't be written: No such file or directory"
    )
    (house.folder / "notes.txt").write_text("hello")
    assert "notes.txt is no whole backup" in house.refused("db", "backup", "notes.txt")
