"""`python -m card_arena.tests.cluster`: a long season on hosts killed at random, verified."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import psutil

from card_arena.common.checkout import ROOT
from card_arena.results.store import Store
from card_arena.tests.cluster.harness import SEED, SLOW, Cluster, end
from card_arena.tests.tournament import stage
from card_arena.verify.verify import verify_ratings, verify_season

LEGS = 10
"""The legs of the season; its rounds follow from how many matches are wanted."""


def main() -> None:
    """Play a season, and fail if anything of it can't be verified."""
    parser = argparse.ArgumentParser(prog="card_arena.tests.cluster", description=__doc__)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--every", type=float, default=20.0, help="mean seconds between two kills")
    parser.add_argument("--seed", type=int, default=None, help="of the random points")
    parser.add_argument("--folder", type=Path, default=None, help="where to go on, or begin")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as temporary:
        Path(temporary).chmod(0o755)
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        url = prepared(folder, given.bots, given.matches)
        cluster = Cluster(Path(temporary))
        try:
            kills = play(cluster, url, folder, given.hosts, given.every, Random(given.seed))
        finally:
            cluster.end()
        with closing(Store(url)) as store:
            (season,) = store.seasons("long")
            began = time.monotonic()
            found = verify_season(store, season)
            assert not found.differences, found.differences[:5]
            assert not verify_ratings(store, "long")
            hosts = Counter(
                entry["host"] for entry in store.ledger("long") if entry.kind == "match"
            )
            voids = sum(entry.kind == "void" for entry in store.ledger("long"))
            matches = len(store.results(season.id))
        print(f"{matches} matches of {given.bots} bots were verified in")
        print(f"{time.monotonic() - began:.0f} s; kills: {dict(kills)}; voids: {voids};")
        print(f"matches by host: {dict(hosts)}")


def prepared(folder: Path, bots: int, matches: int) -> str:
    """A database with bots, and the file of a tournament; what is there is gone on with."""
    url = f"sqlite:///{folder / 'arena.db'}"
    if (folder / "long.yaml").exists():
        return url
    rounds = max(1, matches // (bots // 2) // LEGS)
    with closing(Store(url)) as store:
        for number in range(bots):
            source = SLOW.format(nap=0, limit=12 + number % 9)
            bot = stage.Bot(f"bot{number:03}", "stdin", "shell", f"# {number}\n{source}")
            stage.submit(store, bot.write(folder / "bots"), author=f"author{number}")
    (folder / "long.yaml").write_text(
        "name: long\ngame: blackjack\nseats: 2\nsandbox: bare\nclock: {question: 30s, start: 60s}\n"
        f"limits: {{cpu: 30s}}\nformat: {{contest: {{legs: {LEGS}, rounds: {rounds}}}}}\n"
    )
    return url


def play(
    cluster: Cluster, url: str, folder: Path, hosts: int, every: float, random: Random
) -> Counter[str]:
    """Play until the season is finished; return what was killed how often."""
    kills: Counter[str] = Counter()
    for number in range(hosts):
        cluster.host(f"host{number}")
    runner = started(cluster, url, folder)
    began = time.monotonic()
    try:
        while True:
            try:
                runner.wait(random.expovariate(1 / every))
            except subprocess.TimeoutExpired:
                what = random.choice(["worker", "slot", "host", "scheduler", "runner"])
                runner = killed(what, cluster, runner, random, url, folder)
                kills[what] += 1
                say = f"{time.monotonic() - began:.0f} s: a {what} was killed"
                print(f"{say}; {stored(url)} matches", flush=True)
            else:
                assert runner.returncode == 0, f"the runner ended with {runner.returncode}"
                return kills
    finally:
        if runner.poll() is None:
            end(runner)


def killed(
    what: str,
    cluster: Cluster,
    runner: subprocess.Popen[str],
    random: Random,
    url: str,
    folder: Path,
) -> subprocess.Popen[str]:
    """Kill something, and start again what nobody else does; return the runner."""
    number = random.randrange(len(cluster.hosts))
    host = cluster.hosts[number]
    if what in ("worker", "slot"):
        for each in host.workers if what == "worker" else host.slot_processes:
            with suppress(psutil.Error):
                each.send_signal(signal.SIGKILL)
    elif what == "host":
        host.end()
        del cluster.hosts[number]
        cluster.host(host.name)
    elif what == "scheduler":
        cluster.scheduler.kill()
        cluster.scheduler.start()
    else:
        runner.kill()
        runner.wait()
        return started(cluster, url, folder)
    return runner


def started(cluster: Cluster, url: str, folder: Path) -> subprocess.Popen[str]:
    """`arena run` on the cluster."""
    words = ["run", "--once", "long", "--seed", SEED.hex(), "--folder", str(folder)]
    cluster_words = ["--cluster", cluster.scheduler.address, "--keys", str(cluster.keys)]
    with (folder / "run.log").open("a") as log:
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from card_arena.arena import main; main()",
                *words,
                *cluster_words,
            ],
            cwd=ROOT,
            env={**os.environ, "ARENA_DATABASE": url},
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
        )


def stored(url: str) -> int:
    """How many matches are stored."""
    with closing(Store(url)) as store:
        found = store.seasons("long")
        return len(store.results(found[0].id)) if found else 0


if __name__ == "__main__":
    main()
