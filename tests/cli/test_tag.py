"""`tag`: the organiser's words for bots, which tournaments choose their entrants by."""

from __future__ import annotations

from tests.cli.home import QUICK, Home
from tests.tournament import stage


def test_tournaments_choose_by_the_tags_that_the_organiser_gave(house: Home) -> None:
    house.tournament(QUICK + "entrants: {tags: [student]}\n")
    assert house.done("tag", "sh12") == "sh12 has no tags\n"
    assert house.done("tag", "sh12", "student", "fast") == "sh12 is tagged fast, student\n"
    house.done("tag", "sh16", "student")
    assert "student" in house.done("bots")
    played = house.done("run", "--once", "small")
    assert "sh12 v1" in played
    assert "sh20 v1" not in played


def test_a_tag_is_taken_away_again(house: Home) -> None:
    house.done("tag", "sh12", "student", "fast")
    assert house.done("tag", "sh12", "--remove", "student") == "sh12 is tagged fast\n"
    assert house.refused("tag", "sh12", "--remove", "student") == (
        "sh12 is not tagged 'student'; its tags: fast"
    )
    assert house.done("tag", "sh12", "--remove", "fast") == "sh12 has no tags\n"
    assert "--remove needs the tags" in house.refused("tag", "sh12", "--remove")


def test_a_tag_is_for_the_bot_with_all_its_versions(house: Home) -> None:
    house.done("tag", "sh12", "student")
    (house.bots / "sh12" / "bot.sh").write_text("echo S\n")
    house.done("submit", house.bots / "sh12", "--author", "ada")
    assert house.done("tag", "sh12") == "sh12 is tagged student\n"


def test_a_bot_can_be_tagged_when_it_comes_in_and_its_own_tags_are_not_the_organisers(
    home: Home,
) -> None:
    folder = home.bot(stage.shell_tagged("good", 17, "house"))
    home.done("submit", folder, "--author", "ada")
    assert home.done("tag", "good") == "good has no tags\n"
    home.done("submit", folder, "--author", "ada", "--tag", "student", "--tag", "late")
    assert home.done("tag", "good") == "good is tagged late, student\n"


def test_what_is_no_tag_is_refused_and_so_is_a_bot_that_is_not_there(house: Home) -> None:
    assert house.refused("tag", "sh12", "The House") == (
        "'The House' is not a tag: expected 1 to 32 of the characters a-z, 0-9, - and _"
    )
    assert house.refused("tag", "sh12", *(f"t{number}" for number in range(21))) == (
        "sh12 would have 21 tags; a bot has 20 at most"
    )
    assert house.done("tag", "sh12") == "sh12 has no tags\n"
    assert house.refused("tag", "sh13", "x").startswith("no bot is called 'sh13'; did you mean")
