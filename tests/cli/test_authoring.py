"""`activate`, `title` and `delete`: what an author decides, typed at the arena's own shell."""

from __future__ import annotations

from card_arena.tests.cli.home import QUICK, Home


def second_version(house: Home) -> None:
    (house.bots / "sh12" / "bot.sh").write_text('#!/bin/sh\n[ "$1" = bet ] && echo 1 || echo S\n')
    house.done("submit", house.bots / "sh12", "--author", "ada", "--unchecked")


def test_the_active_version_plays(house: Home) -> None:
    house.tournament(QUICK)
    second_version(house)
    assert house.done("bot", "activate", "sh12@1") == "new seasons enter sh12 v1\n"
    assert "sh12 v1" in house.done("run", "--once", "small")
    assert house.done("bot", "activate", "sh12") == "new seasons enter sh12 v2\n"
    assert "has no version '7'" in house.refused("bot", "activate", "sh12@7")
    assert "Expected BOT or BOT@VERSION" in house.refused("bot", "activate", "sh12@x")


def test_a_title_is_given_and_taken_away(house: Home) -> None:
    assert (
        house.done("bot", "title", "sh12", "Cold", "Hand")
        == "sh12 is shown with the title Cold Hand\n"
    )
    assert "looks like 'sh16'" in house.refused("bot", "title", "sh12", "SH-16")
    assert house.done("bot", "title", "sh12") == "sh12 has no title\n"


def test_what_has_played_can_not_be_deleted(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    second_version(house)
    assert house.done("bot", "delete", "sh12@2") == "sh12 v2 is deleted\n"
    assert "season 1 of small was played with it" in house.refused("bot", "delete", "sh12")
    assert house.done("show", "bots").count("sh12") == 1
