"""Which hosts may play a season: what they lack, and how far they may differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from card_arena.common.hosts import Host
from card_arena.tests.tournament import stage
from card_arena.tournament.requirements import SPREAD, Requirements

ALPHA = Host(
    "alpha",
    "1.0 aa",
    "Linux 6",
    8,
    10.0,
    {"c": "gcc-12 1f", "shell": "dash 2e"},
    {"bare": ("wall-time",), "docker": ("wall-time", "own-files")},
    {"docker": "image1"},
)
TWIN = replace(ALPHA, name="twin", cores=2)


def claim(sandbox: str = "bare", hosts: str = "alike", languages: str = "c") -> Requirements:
    found = frozenset(languages.split())
    return Requirements(sandbox, ("wall-time",), hosts, found, model=ALPHA)  # type: ignore[arg-type]


def test_a_host_must_make_the_sandbox_and_keep_the_guarantees_that_are_required() -> None:
    assert claim("bubblewrap").refusal(ALPHA) == "it can make no bubblewrap sandbox"
    poor = replace(TWIN, sandboxes={"bare": ()})
    assert claim().refusal(poor) == "its bare sandboxes don't keep wall-time"


def test_hosts_that_are_alike_may_be_mixed_by_default() -> None:
    assert stage.tournament().hosts == "alike"
    assert claim().refusal(TWIN) == ""
    other = replace(TWIN, languages={"c": "gcc-13 77", "shell": "dash 2e"})
    assert claim().refusal(other).startswith("its c is gcc-13 77, and alpha's is gcc-12 1f")
    assert claim(languages="shell").refusal(other) == ""
    assert claim(hosts="any").refusal(other) == ""


@pytest.mark.parametrize("speed", [10 * SPREAD + 1, 10 / SPREAD - 1])
def test_a_host_of_another_speed_is_not_alike(speed: float) -> None:
    other = replace(TWIN, speed=speed)
    assert "its speed is" in claim().refusal(other)
    assert claim(hosts="any").refusal(other) == ""


def test_any_host_must_still_have_the_languages_of_the_bots() -> None:
    poor = replace(TWIN, languages={"shell": "dash 2e"})
    assert claim(hosts="any").refusal(poor) == "it has no c"
    assert claim(hosts="any", languages="shell").refusal(poor) == ""


def test_where_sandboxes_are_made_of_an_image_it_has_the_languages() -> None:
    other = replace(TWIN, languages={})
    assert claim("docker").refusal(other) == ""
    assert "image of docker sandboxes" in claim("docker").refusal(
        replace(TWIN, images={"docker": "image2"})
    )


def test_one_host_keeps_the_season_whatever_has_become_of_it() -> None:
    assert claim(hosts="one").refusal(TWIN) == "`hosts: one` keeps the season on alpha"
    assert claim(hosts="one").refusal(replace(ALPHA, speed=12.0)) == ""


def test_the_first_host_that_plays_has_the_languages_that_are_wanted() -> None:
    poor = replace(ALPHA, name="poor", languages={}, cores=64)
    assert max((poor, TWIN, ALPHA), key=claim().better) == ALPHA
