"""The commands that have to do with Docker, against a real engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from card_arena.tests.cli.home import Home
from card_arena.tests.needs import need_sandbox
from card_arena.tests.tournament import stage

IMAGE = re.compile(r"built (card-arena/languages:[0-9a-f]{12})\n")
CONTEST = "name: small\ngame: blackjack\nformat: {contest: {legs: 1, rounds: 1}}\nsandbox: docker\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    need_sandbox("docker")
    return Home(tmp_path)


def test_an_image_that_is_there_is_not_built_again_and_its_languages_work(home: Home) -> None:
    assert IMAGE.search(home.done("image", "build"))
    works = [line.split()[:2] for line in home.done("image", "check", "shell", "c").splitlines()]
    assert works == [["shell", "works"], ["c", "works"]]


def test_a_contest_in_docker_leaves_out_who_names_an_image_that_is_not_allowed(home: Home) -> None:
    hosts = [home.bot(stage.shell(f"sh{stand}", stand)) for stand in (12, 17)]
    guest = home.bot(stage.shell("guest", 17))
    manifest = guest / "bot.yaml"
    manifest.write_text(f"{manifest.read_text()}image: debian:12\n")
    home.done("submit", *hosts, guest, "--author", "ada")
    home.tournament(CONTEST)
    code, output, errors = home.run("run", "--until-idle")
    assert (code, "sh17 v1" in output) == (0, True)
    assert "it names the image debian:12; small allows no image at all" in output + errors
    refused = home.refused("play", "blackjack", guest, hosts[0])
    assert "guest names the image debian:12; bubblewrap sandboxes have none" in refused
