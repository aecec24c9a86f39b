"""One season through everything that can happen to a service in a year.

It is played by `arena run` in a process of its own, started again as a service is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
import yaml

from card_arena.common.checkout import ROOT
from card_arena.results.store import Store
from card_arena.tests.cluster.harness import (
    SEED,
    SLOW,
    Cluster,
    Season,
    lying_host,
    settings,
    undisturbed,
    wait_for,
)
from card_arena.tests.databases import NOBODY, Server, new_server
from card_arena.tests.tournament import stage

MATCHES = 40
LOCKED = 60.0
"""Seconds for which another program holds a lock, much longer than a writer waits for one."""

AGAIN = 1.0
"""Seconds after which a service is started again."""


class Service:
    """`arena run`, started again after exit code 1 and after it was killed, as systemd does."""

    def __init__(self, folder: Path, database: str, cluster: Cluster, frozen: Any) -> None:
        tournaments = folder / "tournaments"
        tournaments.mkdir()
        (tournaments / "small.yaml").write_text(yaml.safe_dump(frozen))
        self._command = [
            *(
                sys.executable,
                "-c",
                "from card_arena.arena import main; main()",
                "run",
                "--once",
                "small",
            ),
            *("--seed", SEED.hex(), "--folder", str(tournaments)),
            *("--cluster", cluster.scheduler.address, "--keys", str(cluster.keys)),
        ]
        self._environment = {**os.environ, "ARENA_DATABASE": database}
        self.log = folder / "log"
        self.codes: list[int] = []
        self._over = Event()
        self._thread = Thread(target=self._keep)

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with suppress(ProcessLookupError):
            self.process.kill()
        self._thread.join()

    def _keep(self) -> None:
        with self.log.open("ab") as log:
            while not self._over.is_set():
                self.process = subprocess.Popen(
                    self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
                )
                self.codes.append(self.process.wait())
                if self.codes[-1] in (0, 2):
                    return
                self._over.wait(AGAIN)

    def wait(self) -> None:
        self._thread.join(300)
        assert not self._thread.is_alive(), self.log.read_text()


@contextmanager
def small_disk() -> Iterator[Path]:
    """A file system of its own, which PostgreSQL's user can reach."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    folder = Path(tempfile.mkdtemp(prefix="arena-disk-"))
    options = f"size=160m,mode=700,uid={NOBODY},gid={NOBODY}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


class Trouble:
    """What happens to the database, and to the service, when so many matches are stored."""

    def __init__(self, service: Service, server: Server, address: str) -> None:
        self._service = service
        self._server = server
        self._address = address

    def stored(self) -> int:
        """How many matches are stored; -1 while that can't be asked."""
        with suppress(psycopg.Error), psycopg.connect(self._address) as connection:
            row = connection.execute("SELECT count(*) FROM matches").fetchone()
            return int(row[0]) if row else -1
        return -1

    def after(self, matches: int) -> None:
        """Wait until so many matches are stored."""
        wait_for(
            lambda: self.stored() >= matches or not self._service._thread.is_alive(),
            f"{matches} matches are stored",
        )

    def restart_server(self) -> None:
        self._server.stop()
        time.sleep(2)
        self._server.start()

    def fill(self, disk: Path) -> None:
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        self.seen("the disk of its server is full")
        filler.unlink()

    def lock(self) -> None:
        with psycopg.connect(self._address) as connection:
            connection.execute("LOCK TABLE matches, ledger IN EXCLUSIVE MODE")
            time.sleep(LOCKED)

    def kill(self) -> None:
        self._service.process.send_signal(signal.SIGKILL)

    def seen(self, text: str) -> None:
        wait_for(lambda: text in self._service.log.read_text(), f"the log says {text!r}")


@pytest.mark.timeout(600)
def test_a_season_comes_through_a_year_of_troubles(cluster: Cluster, tmp_path: Path) -> None:
    changes = {"legs": 10, "rounds": 4}
    calm = undisturbed(tmp_path / "calm", **changes)
    lying_host(cluster, tmp_path / "liar")
    cluster.host("honest")
    with (
        small_disk() as disk,
        new_server(disk) as server,
        closing(Store(server.address)) as store,
    ):
        for limit in (14, 16, 18):
            bot = stage.Bot(f"lim{limit}", "stdin", "shell", SLOW.format(nap=0.2, limit=limit))
            stage.submit(store, bot.write(tmp_path / "bots"))
        plain = server.address.replace("postgresql+psycopg", "postgresql")
        with Service(tmp_path, server.address, cluster, settings(**changes).plain()) as service:
            trouble = Trouble(service, server, plain)
            trouble.after(3)
            trouble.restart_server()
            trouble.after(9)
            trouble.fill(disk)
            trouble.after(15)
            trouble.lock()
            trouble.after(22)
            trouble.kill()
            trouble.after(30)
            trouble.restart_server()
            service.wait()
            log = service.log.read_text()
        assert service.codes[-1] == 0, log
        assert -signal.SIGKILL in service.codes
        assert "the host liar is banned" in log
        assert log.count("trying again until it can be used") >= 4
        season = Season(store, settings(**changes))
        assert season.everything() == calm
        assert season.stored() == MATCHES
