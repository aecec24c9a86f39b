"""A cluster of real processes on this machine, and a small season that is played on it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from card_arena.cluster.engine import make_keys
from card_arena.cluster.host import this_arena
from card_arena.cluster.pool import ClusterPool
from card_arena.common.checkout import ROOT, package_names
from card_arena.results.store import Store
from card_arena.tests.ports import free_port
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament.play.pool import Pool, cores
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import Settings
from card_arena.verify.verify import verify_ratings, verify_season

PATIENCE = 250.0
SEED = bytes(range(32))


def wait_for(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"it never came to that: {what}"
        time.sleep(0.02)


def _started(
    module: str, *words: str, checkout: Path = ROOT, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """A process with all that it has started."""
    with suppress(psutil.NoSuchProcess):
        top = psutil.Process(process.pid)
        return [top, *top.children(recursive=True)]
    return []


def end(process: subprocess.Popen[str]) -> None:
    """End a process and all that it has started, also what was stopped."""
    members = family(process)
    for member in members:
        with suppress(psutil.Error):
            member.kill()
    process.wait()
    psutil.wait_procs(members, PATIENCE)
    for stream in (process.stdin, process.stdout):
        if stream:
            with suppress(OSError):
                stream.close()


@dataclass
class SchedulerProcess:
    """A scheduler that can be killed and comes back at the same address."""

    keys: Path
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.address = f"tls://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        module = "card_arena.cluster.scheduler"
        self.process = _started(module, self.address, str(self.keys))
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == self.address

    def kill(self) -> None:
        end(self.process)


@dataclass
class HostProcess:
    """A host in processes of its own, with a cache of its own.

    `said` replaces what it says of itself. Its slots have cores of this machine from the one with
    the number `core` on.
    """

    scheduler: SchedulerProcess
    name: str
    cache: Path
    slots: int = 1
    said: Mapping[str, Any] = field(default_factory=dict)
    checkout: Path = ROOT
    core: int = 0

    def __post_init__(self) -> None:
        host = {
            "name": self.name,
            "system": "a test",
            "cores": self.slots,
            "speed": 10.0,
            "languages": {"shell": "sh 1"},
            "sandboxes": {"bare": ["wall-time"]},
            "images": {},
            **self.said,
        }
        ours = cores()
        given = {
            "host": host,
            "cores": [
                ours[number % len(ours)] for number in range(self.core, self.core + self.slots)
            ],
            "address": self.scheduler.address,
            "keys": str(self.scheduler.keys),
        }
        self.process = _started(
            "card_arena.tests.cluster.small_host",
            json.dumps(given),
            checkout=self.checkout,
            ARENA_CACHE=str(self.cache),
            PYTHONPATH=str(self.checkout.parent),
        )

    @property
    def slot_processes(self) -> list[psutil.Process]:
        return self._children({self.process.pid}, "card_arena.cluster.slot")

    @property
    def workers(self) -> list[psutil.Process]:
        """The children of slots, which play."""
        slots = {slot.pid for slot in self.slot_processes}
        return self._children(slots, "card_arena.tournament.play.worker")

    def _children(self, parents: set[int], module: str) -> list[psutil.Process]:
        """What these run of a module; what its processes start looks like them for a moment."""
        return [each for each in family(self.process) if _runs(each, module, parents)]

    def stop(self) -> None:
        """Let the host vanish: nothing of it does anything any more."""
        for each in family(self.process):
            with suppress(psutil.Error):
                each.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        for each in family(self.process):
            with suppress(psutil.Error):
                each.send_signal(signal.SIGCONT)

    def end(self) -> None:
        end(self.process)
        shutil.rmtree(self.cache, ignore_errors=True)


def _runs(process: psutil.Process, module: str, parents: set[int]) -> bool:
    with suppress(psutil.Error):
        return process.ppid() in parents and any(module in word for word in process.cmdline())
    return False


class Cluster:
    """A scheduler, and hosts as they are wanted; all end with it."""

    def __init__(self, folder: Path) -> None:
        self.keys = folder / "keys"
        make_keys(self.keys)
        self.scheduler = SchedulerProcess(self.keys)
        self._caches = folder
        self.hosts: list[HostProcess] = []

    def host(
        self, name: str, slots: int = 1, cache: Path | None = None, **said: Any
    ) -> HostProcess:
        core = sum(each.slots for each in self.hosts)
        host = HostProcess(self.scheduler, name, cache or self.new_cache(), slots, said, core=core)
        self.hosts.append(host)
        return host

    def new_cache(self) -> Path:
        """A folder of a host's own, which sandboxes can reach."""
        cache = Path(tempfile.mkdtemp(prefix="cache-", dir=self._caches))
        cache.chmod(0o755)
        return cache

    @contextmanager
    def pool(
        self, say: list[str], slots: int = 1, silence: float = 30.0, *, trusted: bool = True
    ) -> Iterator[ClusterPool]:
        """A runner's pool, as soon as it has so many slots.

        It gives up what is silent for so many seconds. Hosts that are not trusted can be asked to
        do only what the arena asks.
        """
        address, say_it = self.scheduler.address, say.append
        with ClusterPool(address, self.keys, say_it, patience=silence, trusted=trusted) as pool:
            wait_for(lambda: pool.workers >= slots, f"{slots} slots are there")
            yield pool

    def without_hosts(self) -> None:
        for host in self.hosts:
            host.end()
        self.hosts.clear()

    def end(self) -> None:
        self.without_hosts()
        self.scheduler.kill()


LIAR = """

_honest = do
_matches = []


def do(data, blobs):
    good, answer = outcome(_honest(data, blobs))
    if good and hasattr(answer, "games"):
        _matches.append(answer)
        answer = _matches[0] if len(_matches) % 2 else {"odd": answer}
    return pickle.dumps((good, answer))
"""
"""Answers with the first match that it played, or with an odd object, whatever it is asked."""


def other_checkout(folder: Path) -> Path:
    """A copy of the arena's sources, from which a host can be started."""
    checkout = folder / "card_arena"
    for part in package_names():
        shutil.copytree(ROOT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    (checkout / "tests" / "cluster").mkdir(parents=True)
    for file in ("__init__.py", "tests/cluster/small_host.py"):
        shutil.copy(ROOT / file, checkout / file)
    return checkout


def lying_host(
    cluster: Cluster, folder: Path, speed: float = 10.0, *, lie: str = LIAR, file: str = "parcels"
) -> HostProcess:
    """A host that joins as any other one, at a speed that it makes up, and then lies.

    The `lie` is the last definition of a file of its sources.
    """
    checkout = other_checkout(folder)
    path = checkout / "cluster" / f"{file}.py"
    code, main, start = path.read_text().partition('\nif __name__ == "__main__":')
    path.write_text(f"{code}\n{lie}\n{main}{start}")
    facts = {"arena": this_arena(), "speed": speed}
    cache = cluster.new_cache()
    liar = HostProcess(cluster.scheduler, "liar", cache, said=facts, checkout=checkout)
    cluster.hosts.append(liar)
    return liar


SLOW = """\
sleep {nap}
set -f
while read -r line; do
    case $line in
        "#"*) ;;
        *) set -- $line; if [ "$1" -lt {limit} ]; then echo H; else echo S; fi ;;
    esac
done
"""
"""A bot that takes its time once in each game, so that little is computed while much is waited."""


def settings(**changes: Any) -> Settings[Any]:
    """A season of 12 matches."""
    small = {"sandbox": "bare", "legs": 4, "rounds": 3, "seats": 3, "same_author": "together"}
    return stage.tournament(**{**small, "workers": None, **changes})


@dataclass
class Season:
    """A store with bots that take their time, and the season that they play."""

    store: Store
    settings: Settings[Any]
    notes: stage.Notes = field(default_factory=stage.Notes)

    @classmethod
    def prepared(cls, folder: Path, nap: float = 0.4, **changes: Any) -> Season:
        folder.mkdir(parents=True, exist_ok=True)
        store = fresh_store(folder / "arena.db")
        for limit in (14, 16, 18):
            bot = stage.Bot(f"lim{limit}", "stdin", "shell", SLOW.format(nap=nap, limit=limit))
            stage.submit(store, bot.write(folder / "bots"))
        return cls(store, settings(**changes))

    def play(self, pool: Pool | None = None) -> None:
        run_once(self.store, self.settings, self.notes, SEED, pool)

    @contextmanager
    def being_played(self, pool: Pool) -> Iterator[Future[None]]:
        """Play in a thread of its own; its end is waited for at the end of the block."""
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(self.play, pool)
            yield future
            future.result(PATIENCE)

    def stored(self) -> int:
        (season,) = self.store.seasons("small") or (None,)
        return len(self.store.results(season.id)) if season else 0

    def everything(self) -> list[object]:
        """All that the season leaves behind, but for how long things took; it is verified."""
        (season,) = self.store.seasons("small")
        assert season.finished
        assert not verify_season(self.store, season).differences
        assert not verify_ratings(self.store, "small")
        results = self.store.results(season.id)
        assert len({result.key for result in results}) == len(results)
        return [self.store.standings(season.id), *results]

    def told(self, kind: str) -> list[Any]:
        """The entries of a kind in the ledger."""
        return [entry for entry in self.store.ledger("small") if entry.kind == kind]

    def hosts(self) -> set[str]:
        """Who played, by the ledger."""
        return {entry["host"] for entry in self.told("match")}


def undisturbed(folder: Path, **changes: Any) -> list[object]:
    """What the same season leaves behind on the plain pool of this machine."""
    season = Season.prepared(folder, **{"nap": 0, **changes})
    with closing(season.store):
        season.play()
        return season.everything()
