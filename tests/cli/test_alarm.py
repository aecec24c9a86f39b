"""`doctor --alarm`: what an arena that nobody watches tells by mail and by a webhook, and when."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.commands import alarms, health
from card_arena.commands.deployment import Finding
from card_arena.leaderboard.seasons import FaultShares
from card_arena.results.services import Heartbeat, services
from card_arena.results.store import Store
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.post_office import PostOffice, open_post_office
from card_arena.tests.cli.home import LONG, PATIENCE, Home, wait_for
from card_arena.tests.cli.serving import answers
from card_arena.tests.cli.webhook import Webhook, open_webhook
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port
from card_arena.tests.tournament import stage


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Look again and be well again without waiting, and leave nothing in memory."""
    monkeypatch.setattr(alarms, "AGAIN", 0.0)
    monkeypatch.setattr(alarms, "SETTLED", timedelta(0))
    monkeypatch.setattr(alarms, "MEMORY", tmp_path)


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with open_webhook() as found:
        yield found


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_post_office() as found:
        yield found


def settings(home: Home, webhook: Webhook, more: str = "") -> None:
    alarm = f"alarm: {{webhook: '{webhook.address}'}}\n"
    (home.folder / "arena.yaml").write_text(f"port: {free_port()}\n{alarm}{more}")


def amiss(home: Home) -> dict[str, str]:
    """What is amiss, as `doctor --alarm` prints it; its exit code says the same."""
    code, output, errors = home.run("doctor", "--alarm")
    assert errors == ""
    assert code == (1 if output else 0)
    lines = [line for line in output.splitlines() if not line.startswith("  ")]
    return dict(line.split(": ", 1) for line in lines)


@contextmanager
def running(home: Home, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on until it is interrupted, even one that was stopped."""
    with home.said.open("w") as said:
        process = home.start(*words, into=said)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def is_played(home: Home) -> bool:
    with closing(sqlite3.connect(home.database)) as connection:
        return bool(connection.execute("SELECT max(id) FROM matches").fetchone()[0])


def test_an_alarm_comes_when_playing_stalls_and_once_more_when_it_is_over(
    house: Home, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First its workers are stopped and then the whole program, as a machine might leave them."""
    settings(house, webhook)
    house.tournament(LONG)
    monkeypatch.setattr(health, "SOME_MATCH", timedelta(seconds=20))
    with running(house, "run") as process:
        wait_for(lambda: is_played(house))
        wait_for(lambda: amiss(house) == {})
        assert webhook.posted == []
        workers = stage.workers(process.pid)
        for worker in workers:
            worker.suspend()
        wait_for(lambda: amiss(house))
        assert "no match has been stored for " in amiss(house)["playing small"]
        for worker in workers:
            worker.resume()
        wait_for(lambda: amiss(house) == {})
        assert [each["over"] for each in webhook.posted] == [[], ["playing small"]]
        monkeypatch.setattr(health, "SOME_MATCH", timedelta(hours=1))
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: "run" in amiss(house))
        found = amiss(house)["run"]
        assert "`arena run` was last seen at " in found
        assert f"process {process.pid} on {socket.gethostname()} notes nothing" in found
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: amiss(house) == {})
    told = [([each["check"] for each in post["amiss"]], post["over"]) for post in webhook.posted]
    assert told[-1] == ([], ["run"])
    assert told[-2][0] == ["run"]
    assert len(told) == 4, "what lasts is not told again before its time"


def test_a_program_that_was_killed_and_one_that_was_stopped_are_told_apart(
    home: Home, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(home, webhook)
    url = f"sqlite:///{home.database}"
    Store(url).close()
    assert amiss(home)["run"] == "`arena run` has never run with this database"
    monkeypatch.setattr(health, "QUIET", timedelta(0))
    with (
        closing(Store(url)) as store,
        suppress(KeyboardInterrupt),
        Heartbeat(store.database, "run"),
    ):
        raise KeyboardInterrupt
    assert "`arena run` was stopped at " in amiss(home)["run"]
    change(home, "UPDATE services SET ended = '', began = '1.00'")
    assert amiss(home)["run"].endswith(" is gone")


def test_a_program_that_has_nothing_left_to_do_is_not_amiss(home: Home, webhook: Webhook) -> None:
    settings(home, webhook)
    with closing(Store(f"sqlite:///{home.database}")) as store, Heartbeat(store.database, "run"):
        pass
    change(home, "UPDATE services SET seen = '2026-01-01 00:00:00.000000'")
    assert amiss(home) == {}


def test_a_program_that_keeps_ending_or_whose_loop_stands_still_is_amiss(
    home: Home, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(home, webhook)
    with closing(Store(f"sqlite:///{home.database}")) as store:
        for _ in range(3):
            with suppress(ValueError), Heartbeat(store.database, "run"):
                raise ValueError("a fault of the arena")
        with Heartbeat(store.database, "run", every=0.05) as heart:
            wait_for(lambda: "keeps ending: it was started 4 times" in amiss(home).get("run", ""))
            change(home, "UPDATE services SET starts = '[\"2026-01-01T00:00:00+00:00\"]'")
            heart.turn([], {"friday": "no bot is entered"})
            said = "it could not be played: no bot is entered"
            wait_for(lambda: amiss(home) == {"playing friday": said})
            monkeypatch.setattr(health, "QUIET", timedelta(seconds=1.5))
            wait_for(lambda: "lives, but has done nothing for" in amiss(home).get("run", ""))


def test_each_tournament_that_cannot_be_played_is_told_of_when_it_begins(
    home: Home, webhook: Webhook
) -> None:
    settings(home, webhook)
    troubles = {}
    with (
        closing(Store(f"sqlite:///{home.database}")) as store,
        Heartbeat(store.database, "run", every=0.05) as heart,
    ):
        wait_for(lambda: "run" in services(store.database))  # until then it is amiss, too
        for name in ("friday", "monday"):
            troubles[name] = "no bot is entered"
            heart.turn([], troubles)
            wait_for(lambda: len(amiss(home)) == len(troubles))
    told = [[each["check"] for each in post["amiss"]] for post in webhook.posted]
    assert told == [["playing friday"], ["playing friday", "playing monday"]]


def change(home: Home, statement: str) -> None:
    with closing(sqlite3.connect(home.database)) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_site_that_does_not_answer_is_amiss_though_its_process_lives(
    home: Home, webhook: Webhook
) -> None:
    need("bwrap")
    settings(home, webhook, "public: http://127.0.0.1\n")
    port = int((home.folder / "arena.yaml").read_text().split()[1])
    with running(home, "serve") as process:
        wait_for(lambda: answers(port))
        assert "serve" not in amiss(home)
        process.send_signal(signal.SIGSTOP)
        assert (
            amiss(home)["serve"]
            == f"the site at http://127.0.0.1:{port} does not answer: timed out"
        )
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: "serve" not in amiss(home))
    assert amiss(home)["serve"].endswith("Connection refused")


def test_mail_and_webhook_are_told_and_who_could_not_be_is_told_the_next_time(
    home: Home, webhook: Webhook, office: PostOffice
) -> None:
    server = f"server: 127.0.0.1, port: {office.port}, from: arena@cards.example, tls: none"
    (home.folder / "arena.yaml").write_text(
        f"accounts: {{mail: {{{server}}}}}\n"
        f"alarm: {{mail: ann@example.org, webhook: '{webhook.address}'}}\n"
    )
    webhook.status = 500
    code, _, errors = home.run("doctor", "--alarm")
    assert code == 1
    assert "an alarm was not delivered (webhook): the webhook at 127.0.0.1" in errors
    assert "answers 500" in errors
    ((recipients, email),) = office.emails
    assert recipients == ["ann@example.org"]
    assert email["Subject"] == f"Card Arena {socket.gethostname()}: amiss: database"
    assert "the database does not exist" in email.get_content()
    webhook.status, webhook.posted = 204, []
    assert amiss(home) == {"database": "the database does not exist"}
    assert [each["check"] for each in webhook.posted[0]["amiss"]] == ["database"]
    assert len(office.emails) == 1
    assert amiss(home)
    assert len(webhook.posted) == 1


def test_without_anybody_to_tell_it_says_so(home: Home) -> None:
    code, _, errors = home.run("doctor", "--alarm")
    assert code == 1
    assert errors == "no recipient gets this: name one under `alarm:` in arena.yaml\n"


def test_a_webhook_whose_address_is_none_is_said_without_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.folder / "arena.yaml").write_text("alarm: {}\n")
    monkeypatch.setenv("ARENA_ALARM_WEBHOOK", "https://[a-secret")
    code, output, errors = home.run("doctor", "--alarm")
    assert code == 1
    assert output.startswith("database: ")
    assert "an alarm was not delivered (webhook): invalid address of the webhook" in errors
    assert "a-secret" not in output + errors


def test_a_mail_that_no_server_could_send_is_a_mistake_in_the_settings(home: Home) -> None:
    (home.folder / "arena.yaml").write_text("accounts: {}\nalarm: {mail: ann@example.org}\n")
    assert "`mail` needs a server that sends it" in home.refused("doctor", "--alarm")


def test_a_unit_that_systemd_saw_fail_is_told_at_once_and_until_it_is_seen_again(
    home: Home, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(home, webhook)
    with closing(Store(f"sqlite:///{home.database}")) as store:
        with Heartbeat(store.database, "run"):
            pass
        change(home, "UPDATE services SET ended = 'failed'")
        assert amiss(home) == {}, "it was there a moment ago, and may be restarted"
        with monkeypatch.context() as failed:
            failed.setenv("MONITOR_UNIT", "card-arena-play.service")
            failed.setenv("MONITOR_SERVICE_RESULT", "exit-code")
            failed.setenv("MONITOR_EXIT_STATUS", "2")
            said = "the unit card-arena-play.service has failed (exit-code, exit status 2)"
            assert amiss(home) == {"run": said}
        assert "ended with an error" in amiss(home)["run"]
        with Heartbeat(store.database, "run"):
            wait_for(lambda: amiss(home) == {})


def test_two_looks_at_once_tell_everything_once(home: Home, webhook: Webhook) -> None:
    """As when the timer begins one just while a unit fails."""
    settings(home, webhook)
    Store(f"sqlite:///{home.database}").close()
    webhook.delay = 2.0
    looks = [home.start("doctor", "--alarm") for _ in range(2)]
    for look in looks:
        assert look.communicate(timeout=PATIENCE)[1] == ""
    assert len(webhook.posted) == 1


def test_the_doctor_says_the_same_of_an_arena_that_people_reach(home: Home) -> None:
    def checks() -> dict[str, bool]:
        found = json.loads(home.run("doctor", "--sandbox", "bare", "--json")[1])["deployment"]
        return {finding["check"]: finding["ok"] for finding in found}

    (home.folder / "arena.yaml").write_text(f"port: {free_port()}\n")
    Store(f"sqlite:///{home.database}").close()
    assert not {"run", "serve"} & {*checks()}
    (home.folder / "arena.yaml").write_text(f"port: {free_port()}\npublic: http://127.0.0.1\n")
    found = checks()
    assert (found["run"], found["serve"], found["faults"]) == (False, False, True)


def test_a_database_server_that_is_down_is_told_once(home: Home, webhook: Webhook) -> None:
    settings(home, webhook, "database: postgresql+psycopg://ann@127.0.0.1:1/arena\n")
    for _ in range(2):
        assert "is out of reach: " in amiss(home)["database"]
        ((told,),) = (post["amiss"] for post in webhook.posted)
        assert told["check"] == "database"


def test_uploads_that_nothing_is_done_about_are_amiss(
    home: Home, webhook: Webhook, tmp_path: Path
) -> None:
    (tmp_path / "porch").mkdir()
    porch = Porch(tmp_path / "porch")
    upload = porch.add_upload(porch.ann, b"a file")
    settings(home, webhook, f"database: {porch.url}\naccounts: {{}}\n")
    assert "uploads" not in amiss(home)
    file = tmp_path / "porch" / "arena.accounts.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE uploads SET received = '2026-01-01 00:00:00.000000'")
        connection.commit()
    assert "an upload has waited since Thu 1 Jan 2026" in amiss(home)["uploads"]
    with closing(AccountStore(porch.url)) as accounts:
        accounts.build_began(upload.id)
    assert "uploads" not in amiss(home)
    porch.accounts.close()
    porch.store.close()


@contextmanager
def secure_server(folder: Path, days: int) -> Iterator[int]:
    """A server for TLS, with a certificate of its own making for this machine."""
    key, certificate = folder / "key.pem", folder / "cert.pem"
    words = f"openssl req -x509 -newkey rsa:2048 -nodes -days {days} -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
    subprocess.run([*words.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    line, _ = listener.accept()
                except OSError:
                    return
                with closing(line):
                    try:
                        context.wrap_socket(line, server_side=True).close()
                    except OSError:
                        continue

        Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("days", "trusted", "sentence"),
    [(60, True, ""), (10, True, " ends "), (60, False, "is not trusted: self-signed certificate")],
)
def test_a_certificate_that_ends_soon_or_that_nobody_trusts_is_amiss(
    home: Home,
    webhook: Webhook,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    days: int,
    trusted: bool,
    sentence: str,
) -> None:
    need("openssl")
    with secure_server(tmp_path, days) as port:
        if trusted:
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        settings(home, webhook, f"public: https://localhost:{port}\n")
        found = amiss(home).get("certificate", "")
    assert sentence in found
    assert bool(found) == bool(sentence)
    assert "can't be reached from this machine: Connection refused" in amiss(home)["certificate"]


def test_the_day_when_a_disk_is_full_follows_from_what_was_free_before(
    home: Home, webhook: Webhook
) -> None:
    settings(home, webhook)
    assert amiss(home).keys() == {"database"}
    file = home.folder / "var" / "arena.disk.json"
    ((folder, [(moment, free)]),) = json.loads(file.read_text()).items()
    now = datetime.fromisoformat(moment)
    for days, is_amiss in ((5, True), (100, False)):
        samples = [
            ((now - timedelta(days=ago)).isoformat(), round(free * (1 + ago / days)))
            for ago in (3, 2, 1, 0)
        ]
        file.write_text(json.dumps({folder: samples}))
        found = amiss(home).get(f"disk {folder}", "")
        assert ("are used each day: it is full on " in found) == is_amiss
    assert len(json.loads(file.read_text())[folder]) == 4, "one an hour"


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        (FaultShares(100, 200, 10, 8.0, 0), ""),
        (FaultShares(100, 200, 40, 4.0, 0), "20% had faults; the same bots had them in 2% before"),
        (FaultShares(100, 200, 104, 60.0, 0), ""),
        (FaultShares(100, 200, 112, 60.0, 0), "56% had faults; the same bots had them in 30%"),
        (FaultShares(100, 20, 10, 0.0, 0), ""),
        (FaultShares(30, 60, 0, 0.0, 10), "10 of the last 40 attempts at matches were void"),
        (FaultShares(100, 60, 0, 0.0, 4), ""),
    ],
)
def test_faults_that_are_well_above_what_they_were_are_amiss(
    shares: FaultShares, sentence: str
) -> None:
    finding = health.faults(shares)
    assert finding.ok != bool(sentence)
    assert sentence in finding.found


AMISS = [Finding("disk", False, "it is full")]
NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_what_lasts_is_told_again_after_its_time_and_what_flutters_is_not() -> None:
    state = alarms.State()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alarms, "SETTLED", timedelta(minutes=2))
        state.update(AMISS, NOW)
        assert state.notices_for("mail", ["disk"], HOUR, NOW) == (True, [])
        state.was_sent("mail", ["disk"], [], NOW)
        assert state.notices_for("mail", ["disk"], HOUR, NOW + HOUR / 2) == (False, [])
        assert state.notices_for("mail", ["disk"], HOUR, NOW + HOUR) == (True, [])
        well = [Finding("disk", True, "there is room")]
        state.update(well, NOW)
        assert state.notices_for("mail", [], HOUR, NOW) == (False, [])
        state.update(AMISS, NOW + timedelta(minutes=1))
        state.update(well, NOW + timedelta(minutes=3))
        assert state.notices_for("mail", [], HOUR, NOW + timedelta(minutes=3)) == (False, [])
        state.update(well, NOW + timedelta(minutes=5))
        assert state.notices_for("mail", [], HOUR, NOW + timedelta(minutes=5)) == (False, ["disk"])


def test_while_the_database_is_broken_nothing_that_stood_in_it_is_over() -> None:
    state = alarms.State()
    state.update([Finding("run", False, "it is gone")], NOW)
    state.update([Finding("database", False, "it is damaged")], NOW)
    assert {*state.problems} == {"run", "database"}
    state.update([Finding("database", True, "it is reached")], NOW)
    assert {*state.problems} == set()


def test_where_the_folder_takes_no_file_it_is_kept_in_memory_who_was_told(
    home: Home, webhook: Webhook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(alarms, "MEMORY", memory)
    settings(home, webhook)
    in_the_way = home.folder / "var" / "arena.alarm.json.new"
    in_the_way.mkdir(parents=True)
    for _ in range(2):
        assert amiss(home)
        assert len(webhook.posted) == 1
    (kept,) = memory.iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    in_the_way.rmdir()
    assert amiss(home)
    assert len(webhook.posted) == 1
    assert [*memory.iterdir()] == []
