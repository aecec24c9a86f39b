"""`up`: a folder of tournaments played and shown until somebody ends it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import urllib.request
from contextlib import suppress

import psutil
import pytest

from card_arena.tests.cli.home import PATIENCE, QUICK, Home, wait_for
from card_arena.tests.cli.serving import answers, serving
from card_arena.tests.ports import free_port
from card_arena.tests.tournament import stage


def up(house: Home) -> tuple[subprocess.Popen[str], int]:
    """A process that plays a small contest and shows it already, and its port."""
    house.tournament(QUICK)
    port = free_port()
    running = house.start("up", "--port", port)
    wait_for(lambda: answers(port))
    return running, port


def test_up_plays_and_serves_until_it_is_interrupted(house: Home) -> None:
    running, port = up(house)
    family: list[psutil.Process] = []
    try:
        wait_for(lambda: "(finished)" in house.done("standings"))
        family = psutil.Process(running.pid).children(recursive=True)
        assert family
    finally:
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("interrupted; everything stored is kept\n")
    assert f"http://127.0.0.1:{port}" in output
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]
    assert not answers(port)


def test_bots_of_the_house_are_submitted_once_the_page_stands(house: Home) -> None:
    house.tournament(QUICK)
    port = free_port()
    new = house.bot(stage.shell("late", 17))
    (foreign := house.folder / "foreign").mkdir()
    house.done("submit", "--author", "eve", house.bot(stage.shell("taken", 12)))
    taken = ("--house", stage.shell("taken", 13).write(house.folder / "another"))
    running = house.start("up", "--port", port, "--house", foreign, *taken, "--house", new)
    try:
        wait_for(lambda: "late v1" in house.run("standings", "small")[1])
    finally:
        running.send_signal(signal.SIGINT)
        output, _ = running.communicate(timeout=PATIENCE)
    assert output.index(f"http://127.0.0.1:{port}") < output.index("late v1 accepted")
    assert re.search(r"not submitted: .*foreign: .*bot\.yaml", output)
    assert re.search(r"not submitted: .*: the name taken belongs to eve", output)


@pytest.mark.parametrize("command", ["up", "serve"])
def test_an_address_that_was_said_answers(house: Home, command: str) -> None:
    house.tournament(QUICK)
    port = free_port()
    running = house.start(command, "--port", port)
    try:
        assert running.stdout
        for line in running.stdout:
            if f"http://127.0.0.1:{port}" in line:
                break
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            assert page.status == 200
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)


def test_the_address_and_the_invitation_are_the_last_that_is_said(
    house: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.tournament(QUICK)
    monkeypatch.setenv("ARENA_LINK", "your invitation: http://cards.example/come/in")
    with serving(house, "--public", "https://cards.example") as up:
        wait_for(lambda: "still serving" in up.said and up.said.count("/come/in") == 3)
        where = ["the leaderboard: https://cards.example", os.environ["ARENA_LINK"]]
        lines = up.said.splitlines()
    assert lines[:2] == where
    assert lines[-2:] == where
    standings = next(at for at, line in enumerate(lines) if "(finished)" in line)
    assert where[0] in lines[standings:-3]


def test_the_pages_of_up_know_where_visitors_reach_them(house: Home) -> None:
    house.tournament(QUICK)
    with (
        serving(house, "--public", "https://cards.example/arena") as up,
        urllib.request.urlopen(f"{up.address}/bots", timeout=PATIENCE) as page,
    ):
        text = page.read().decode()
    assert '<link rel="canonical" href="https://cards.example/arena/bots">' in text
    assert 'href="/arena/how"' in text
    assert "the leaderboard: https://cards.example/arena\n" in up.said


def test_the_site_ends_with_an_arena_that_is_killed(house: Home) -> None:
    running, port = up(house)
    family = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.communicate(timeout=PATIENCE)
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]
    assert not answers(port)


def test_the_arena_says_so_and_ends_when_its_site_is_killed(house: Home) -> None:
    running, _ = up(house)
    for child in psutil.Process(running.pid).children():
        with suppress(psutil.NoSuchProcess):  # one that was only needed for a moment
            if "serve" in child.cmdline():
                child.kill()
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 1
    assert errors.endswith("the leaderboard's server ended unexpectedly (exit code -9)\n")


def test_a_port_in_use_is_told_before_anything_is_played(house: Home) -> None:
    house.tournament(QUICK)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} of 127.0.0.1 is in use" in house.refused("up", "--port", port)
        assert f"port {port} of 127.0.0.1 is in use" in house.run("serve", "--port", port)[2]
    assert house.done("standings") == "nothing has been played yet\n"
