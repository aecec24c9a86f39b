"""`withdraw`: a bot that no new season enters."""

from __future__ import annotations

import re

from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.tournament import stage


def test_a_bot_is_withdrawn_and_let_in_again(house: Home) -> None:
    house.tournament(QUICK)
    said = house.done("bot", "withdraw", "sh12")
    assert re.fullmatch(
        r"sh12 has been withdrawn since \w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC\n", said
    )
    assert house.done("bot", "withdraw", "sh12") == said
    assert "sh12 v1 (withdrawn)" in house.done("show", "bots")
    assert "sh12" not in house.done("run", "--once", "small")
    assert house.done("bot", "readmit", "sh12") == "sh12 plays again\n"
    assert house.done("bot", "readmit", "sh12") == "sh12 was not withdrawn\n"
    assert "sh12 v1" in house.done("run", "--once", "small")


def test_a_newer_version_does_not_bring_a_withdrawn_bot_back(house: Home) -> None:
    house.done("bot", "withdraw", "sh12")
    (house.bots / "sh12" / "bot.sh").write_text("echo S\n")
    assert house.done("submit", house.bots / "sh12", "--author", "ada").startswith(
        "sh12 v2 accepted; it stays withdrawn until `arena bot readmit sh12`\n"
    )


def test_a_contest_that_names_a_withdrawn_bot_is_not_played(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12, sh16]\n")
    house.done("bot", "withdraw", "sh12")
    said = house.refused("run", "--until-idle")
    assert "sh12 is named under `entrants:` but has been withdrawn since" in said


def test_only_a_bot_that_is_there_can_be_withdrawn(house: Home) -> None:
    assert house.refused("bot", "withdraw", "sh13@1").startswith(
        "no bot is called 'sh13@1'; did you mean"
    )


def test_a_withdrawn_bot_still_plays_at_a_table_that_is_not_kept(house: Home) -> None:
    house.done("bot", "withdraw", "sh12")
    guest = house.bot(stage.shell("guest", 17))
    assert "sh12 v1" in house.done("play", "blackjack", guest, "sh12", "--options", "hands=1")


def test_several_bots_are_withdrawn_at_once_or_none_is(house: Home) -> None:
    said = house.refused("bot", "withdraw", "sh12", "nobody", "sh16", "ghost")
    assert "no bot is called 'nobody'" in said
    assert "no bot is called 'ghost'" in said
    assert said.endswith("nothing was done: correct these names or leave them out")
    assert "withdrawn" not in house.done("show", "bots")
    said = house.done("bot", "withdraw", "sh12", "sh16", "sh12")
    assert re.findall(r"(\w+) has been withdrawn since", said) == ["sh12", "sh16"]
    assert house.done("bot", "readmit", "sh16", "sh12") == "sh16 plays again\nsh12 plays again\n"


def test_several_versions_are_chosen_or_deleted_at_once_or_none_is(house: Home) -> None:
    for name in ("sh12", "sh16"):
        (house.bots / name / "bot.sh").write_text("echo S\n")
        house.done("submit", house.bots / name, "--author", "ada")
    assert "has no version '7'" in house.refused("bot", "activate", "sh12@1", "sh16@7")
    assert "several of sh12" in house.refused("bot", "activate", "sh12@1", "sh12@2")
    assert house.done("bot", "activate", "sh12@1", "sh16@1") == (
        "new seasons enter sh12 v1\nnew seasons enter sh16 v1\n"
    )
    house.tournament(QUICK)
    house.done("run", "--once", "small")
    said = house.refused("bot", "delete", "sh12@2", "sh16@1", "sh16@9")
    assert "sh16 v1 can't be deleted: it was in a season" in said
    assert "has no version '9'" in said
    assert house.done("bot", "delete", "sh12@2", "sh16@2") == (
        "sh12 v2 is deleted\nsh16 v2 is deleted\n"
    )
