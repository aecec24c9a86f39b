"""The commands that have to do with Docker, against a real engine."""

from __future__ import annotations

import re

import pytest

from tests.cli.test_arena import Home
from tests.needs import need_box
from tests.tournament import stage

IMAGE = re.compile(r"there is (card-arena/languages:[0-9a-f]{12})\n")

CONTEST = "name: small\ngame: blackjack\ntourneys: 1\nrounds: 1\nbox: docker\n"


@pytest.fixture
def home(tmp_path) -> Home:
    need_box("docker")
    return Home(tmp_path)


def test_an_image_that_is_there_is_not_built_again_and_its_languages_work(home: Home) -> None:
    assert IMAGE.search(home.done("image", "build"))
    works = [line.split()[:2] for line in home.done("image", "check", "shell", "c").splitlines()]
    assert works == [["shell", "works"], ["c", "works"]]


def test_a_contest_is_played_in_docker(home: Home) -> None:
    bots = [home.bot(stage.shell(f"sh{stand}", stand)) for stand in (12, 17)]
    home.done("submit", *bots, "--author", "ada", "--box", "docker")
    home.tournament(CONTEST)
    home.done("run", "--until-idle")
    assert re.search(r"sh(12|17)", home.done("standings", "small"))


def test_an_image_that_no_organiser_allowed_keeps_a_bot_out_and_says_so(home: Home) -> None:
    (image,) = IMAGE.findall(home.done("image", "build"))
    folder = home.bot(stage.shell("guest", 17))
    manifest = folder / "bot.yaml"
    manifest.write_text(f"{manifest.read_text()}image: {image}\n")
    hosts = [home.bot(stage.shell(f"sh{stand}", stand)) for stand in (12, 15)]
    home.done("submit", folder, *hosts, "--author", "ada", "--box", "docker")
    home.tournament(CONTEST)
    code, output, errors = home.run("run", "--until-idle")
    assert code == 0
    assert f"names the image {image}; small allows no image at all" in output + errors
    refused = home.refused("play", "blackjack", folder, *hosts)
    assert f"guest names the image {image}, and bubblewrap boxes have none" in refused
    assert "the same cards again" in home.done("play", "blackjack", folder, "--box", "docker")
