"""`doctor` about an arena that people reach: each thing that is amiss, and what would help."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from card_arena.accounts.secrets import session_key
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.commands import deployment
from card_arena.commands.actions import doctor
from card_arena.commands.deployment import ROOM
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.results import backup
from card_arena.results.sqlite_file import Reserve
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.tests.cli.home import Home

RIGHT = """\
database: sqlite:///var/arena.db
public: https://cards.example
proxy: 127.0.0.1
backups: backups
accounts: {}
"""


@pytest.fixture(autouse=True)
def _no_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not what these tests are about, and take seconds to try; nor is what runs."""

    def missing(_: object) -> None:
        raise BackendMissing("not here")

    monkeypatch.setattr(doctor, "examine", missing)
    monkeypatch.setattr(deployment, "clock_state", lambda: 0)
    monkeypatch.setattr(doctor, "health", lambda _: [])


def write_settings(home: Home, text: str) -> None:
    """Write arena.yaml as a file that only its owner can change, whatever the umask."""
    file = home.folder / "arena.yaml"
    file.write_text(text)
    file.chmod(0o644)


@pytest.fixture
def kept(home: Home) -> Home:
    """An arena with accounts, tables, a key and a backup, whose settings are right."""
    write_settings(home, RIGHT)
    (home.folder / "backups").mkdir()
    with closing(Store(f"sqlite:///{home.database}")) as store:
        accounts = AccountStore(store.database.address)
        accounts.close()
        ExhibitionStore(store.database.address).close()
        session_key(accounts.paths.key)
        Reserve(store.database.file).make()
    home.done("db", "backup", "backups/monday.db")
    return home


class Found(NamedTuple):
    ok: bool
    found: str
    fix: str


def found(home: Home) -> dict[str, Found]:
    """What `doctor --json` says; where it says several things about one, what is amiss."""
    code, output, errors = home.run("doctor", "--sandbox", "bare", "--json")
    assert (code, errors) == (2, ""), "the exit code is that of the sandboxes"
    findings = json.loads(output)["deployment"]
    return {
        each["check"]: Found(each["ok"], each["found"], each["fix"])
        for each in sorted(findings, key=lambda each: not each["ok"])
    }


def settings(home: Home, old: str, new: str) -> None:
    file = home.folder / "arena.yaml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_an_arena_that_is_set_up_well_has_nothing_amiss(kept: Home) -> None:
    said = found(kept)
    assert [name for name, each in said.items() if not each.ok] == []
    assert {*said} == {
        *("settings", "public", "proxy", "secrets", "database", "backup", "clock"),
        *("reserve", f"disk {kept.folder / 'var'}"),
    }
    shown = kept.run("doctor", "--sandbox", "bare")[1]
    assert "this arena: 11 of 11 things are as they should be" in shown


def test_an_arena_without_a_settings_file_is_asked_for_nothing(home: Home) -> None:
    assert found(home) == {}
    assert not home.database.exists()


@pytest.mark.parametrize(
    ("old", "new", "check", "sentence"),
    [
        ("proxy: 127.0.0.1\n", "", "proxy", "all visitors count as one"),
        ("https://cards.example", "http://cards.example", "public", "everybody on the way"),
        ("public: https://cards.example", "host: 0.0.0.0", "public", "on 0.0.0.0, without TLS"),
        ("accounts:", "host: 0.0.0.0\naccounts:", "host", "also served on 0.0.0.0, past the proxy"),
        ("backups: backups", "backups: gone", "backup", "gone can't be read: No such file"),
        ("backups: backups", "backups: var", "backup", "there is no backup in var"),
        (
            "sqlite:///var/arena.db",
            "postgresql+psycopg://ann:secret@127.0.0.1:1/arena",
            "secrets",
            "the password of the database is in arena.yaml",
        ),
        (
            "sqlite:///var/arena.db",
            "postgresql+psycopg://ann@127.0.0.1:1/arena",
            "database",
            "is out of reach: ",
        ),
        (
            "accounts: {}",
            "accounts: {github: {client_id: x}}",
            "secrets",
            "set ARENA_GITHUB_SECRET, or",
        ),
        ("accounts: {}", "accounts: {attendants: 2}", "settings", "unknown key 'attendants'"),
    ],
)
def test_a_wrong_setting_is_found_and_has_a_remedy(
    kept: Home, old: str, new: str, check: str, sentence: str
) -> None:
    settings(kept, old, new)
    said = found(kept)[check]
    assert not said.ok
    assert sentence in said.found
    assert said.fix
    assert "secret@" not in said.found


def test_who_can_change_the_settings_is_found(kept: Home) -> None:
    (kept.folder / "arena.yaml").chmod(0o664)
    assert found(kept)["settings"] == (
        False,
        "others on this machine can change arena.yaml",
        "chmod go-w arena.yaml",
    )


def test_a_key_that_others_can_read_is_found_among_the_files_too(kept: Home) -> None:
    key = kept.folder / "var" / "arena.accounts.key"
    key.chmod(0o640)
    key.with_name("arena.exhibitions.db").chmod(0o644)
    assert "var/arena.accounts.key can be read by others" in found(kept)["secrets"].found
    shown = kept.run("doctor", "--sandbox", "bare")[1]
    assert "  chmod go= var/arena.accounts.key" in shown
    assert "  chmod go= var/arena.exhibitions.db" in shown


def test_a_backup_of_last_week_is_too_old(kept: Home) -> None:
    file = kept.folder / "backups" / "monday.db"
    for each in file.parent.iterdir():
        with closing(sqlite3.connect(each)) as connection:
            connection.execute("UPDATE backup_seal SET taken = '2026-01-05T03:15:00+00:00'")
            connection.commit()
    assert backup.read_seal(file).taken == datetime(2026, 1, 5, 3, 15, tzinfo=UTC)
    said = found(kept)["backup"]
    assert (said.ok, said.found) == (
        False,
        "the newest backup in backups is of Mon 5 Jan 2026, 03:15 UTC",
    )


@pytest.mark.parametrize(
    ("name", "revision", "sentence"),
    [
        ("arena.accounts.db", "0000", "the accounts database is at revision 0000, and this "),
        ("arena.accounts.db", "9999", "this version knows it up to"),
        ("arena.exhibitions.db", "0000", "the exhibitions database is at revision 0000, and this "),
    ],
)
def test_tables_of_another_version_are_found_and_left_alone(
    kept: Home, name: str, revision: str, sentence: str
) -> None:
    file = kept.folder / "var" / name
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        connection.commit()
        assert sentence in found(kept)["database"].found
        ((left,),) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert left == revision


def test_a_full_disk_and_a_clock_that_nobody_keeps_are_found(
    kept: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(kept.folder)._replace(free=ROOM)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(deployment, "clock_state", lambda: 5)
    said = found(kept)
    disk = said[f"disk {kept.folder / 'var'}"]
    assert "1.0 GiB are free, less than 2.0 GiB" in disk.found
    assert "arena db prune" in disk.fix
    assert said["clock"].found == "the clock is not synchronised by a time service"


def test_it_is_said_where_nothing_is_kept_for_pruning_a_full_disk(kept: Home) -> None:
    assert found(kept)["reserve"].ok
    kept.database.with_name("arena.reserve").unlink()
    assert "no 16 MiB are kept for `arena db prune`" in found(kept)["reserve"].found


def test_the_kernel_is_asked_about_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert deployment.clock_state() in (None, *range(6))


def test_the_example_for_a_server_is_right(home: Home) -> None:
    example = Path(__file__).parents[2] / "examples" / "deploy" / "arena.yaml"
    text = example.read_text().replace("/var/lib/card-arena", str(home.folder))
    write_settings(home, text)
    said = found(home)
    assert {name for name, each in said.items() if not each.ok} <= {"backup"}
    assert {*said} >= {"settings", "public", "proxy", "secrets", "clock", "backup"}
    assert any(name.startswith("disk ") for name in said)
