"""Uploads while site and runner are killed: none that was acknowledged is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
import requests

from card_arena.common.checkout import ROOT
from card_arena.leaderboard.bots import bots
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.runner_program import RUNNER
from card_arena.tests.accounts.served import Browser, Running, served

UPLOADS = 50
TEAMS = 10


def runner(porch: Porch) -> subprocess.Popen[bytes]:
    words = (sys.executable, "-c", RUNNER, porch.url, str(porch.folder))
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)


def handed_in(browser: Browser, number: int, archive: bytes, site: Running) -> int:
    """Hand a bot in, again and again until the site says under which number."""
    while True:
        try:
            browser.site = site.site
            answer = browser.send("/submit", files={"bundle": (f"{number}.tar.gz", archive)})
        except (requests.RequestException, AssertionError):  # it was just killed
            time.sleep(0.1)
            continue
        assert answer.status_code == 303, answer.text
        return int(answer.headers["Location"].removeprefix("/upload/"))


@pytest.mark.timeout(300)
def test_each_of_fifty_uploads_becomes_one_version_or_one_refusal_whatever_is_killed(
    porch: Porch, tmp_path: Path
):
    random = Random(11)
    archives = {
        number: bot(f"bot{number}") if number % 5 else b"rubbish %d" % number
        for number in range(UPLOADS)
    }
    with served(porch) as site:
        browsers = []
        for team in range(TEAMS):
            _, secret = porch.accounts.invite(f"Team {team}", f"team{team}@example.org")
            browsers.append(site.browser(secret))
        sites = Running(porch)
    plays = runner(porch)
    over = threading.Event()

    def settled() -> int:
        found = map(porch.accounts.upload, range(1, UPLOADS + 1))
        return sum(each is not None and not each.waits for each in found)

    def killing() -> None:
        nonlocal plays
        patience, before = 1.0, 0
        while not over.wait(patience * (0.5 + 1.5 * random.random())):
            if random.random() < 0.5:
                sites.kill_and_start_again()
            else:
                plays.kill()
                plays.wait()
                if (now := settled()) == before:
                    patience *= 1.3  # where Python takes long to start nothing would ever be done
                before = now
                plays = runner(porch)

    killer = threading.Thread(target=killing)
    killer.start()
    try:
        with ThreadPoolExecutor(UPLOADS) as pool:
            acknowledged = list(
                pool.map(
                    lambda number: handed_in(
                        browsers[number % TEAMS], number, archives[number], sites
                    ),
                    archives,
                )
            )
        while porch.accounts.waiting(1):
            time.sleep(0.2)
    finally:
        over.set()
        killer.join()
        plays.kill()
        plays.wait()
        sites.close()
    found = {number: porch.accounts.upload(upload) for number, upload in enumerate(acknowledged)}
    for number, upload in found.items():
        assert upload is not None, "what was acknowledged is there"
        assert upload.state == ("accepted" if number % 5 else "rejected")
    versions = Counter(
        line.bot for line in bots(porch.store) for _ in range(porch.store.version(line.bot).number)
    )
    assert versions == {f"bot{number}": 1 for number in archives if number % 5}
