"""`tag`: the organiser's words for bots, which tournaments choose their entrants by."""

from __future__ import annotations

import json

from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.tournament import stage


def tags(home: Home, bot: str) -> list[str]:
    """The organiser's tags of a bot."""
    bots = json.loads(home.done("show", "bots", "--json"))["items"]
    return [tag for each in bots if each["bot"] == bot for tag in each["organiser_tags"]]


def test_tournaments_choose_by_the_tags_that_the_organiser_gave(house: Home) -> None:
    house.tournament(QUICK + "entrants: {tags: [student]}\n")
    assert tags(house, "sh12") == []
    assert house.done("bot", "tag", "sh12", "student", "fast") == "sh12 is tagged fast, student\n"
    house.done("bot", "tag", "sh16", "student")
    assert "student" in house.done("show", "bots")
    played = house.done("run", "--once", "small")
    assert "sh12 v1" in played
    assert "sh20 v1" not in played


def test_a_tag_is_taken_away_again(house: Home) -> None:
    house.done("bot", "tag", "sh12", "student", "fast")
    assert house.done("bot", "untag", "sh12", "student") == "sh12 is tagged fast\n"
    assert house.refused("bot", "untag", "sh12", "student") == (
        "sh12 is not tagged 'student'; its tags: fast"
    )
    assert house.done("bot", "untag", "sh12", "fast") == "sh12 has no tags\n"
    assert house.run("bot", "untag", "sh12")[0] == 2


def test_a_tag_is_for_the_bot_with_all_its_versions(house: Home) -> None:
    house.done("bot", "tag", "sh12", "student")
    (house.bots / "sh12" / "bot.sh").write_text("echo S\n")
    house.done("submit", house.bots / "sh12", "--author", "ada")
    assert tags(house, "sh12") == ["student"]


def test_a_bot_can_be_tagged_when_it_comes_in_and_its_own_tags_are_not_the_organisers(
    home: Home,
) -> None:
    folder = home.bot(stage.shell_tagged("good", 17, "house"))
    home.done("submit", folder, "--author", "ada")
    assert tags(home, "good") == []
    home.done("submit", folder, "--author", "ada", "--tag", "student", "--tag", "late")
    assert tags(home, "good") == ["late", "student"]


def test_what_is_no_tag_is_refused_and_so_is_a_bot_that_is_not_there(house: Home) -> None:
    assert house.refused("bot", "tag", "sh12", "The House") == (
        "'The House' is not a tag: expected 1 to 32 of the characters a-z, 0-9, - and _"
    )
    assert house.refused("bot", "tag", "sh12", *(f"t{number}" for number in range(21))) == (
        "sh12 would have 21 tags; a bot has 20 at most"
    )
    assert tags(house, "sh12") == []
    assert house.refused("bot", "tag", "sh13", "x").startswith(
        "no bot is called 'sh13'; did you mean"
    )
