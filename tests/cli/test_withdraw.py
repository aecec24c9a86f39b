"""`withdraw`: a bot that no new season enters."""

from __future__ import annotations

import re

from tests.cli.home import QUICK, Home
from tests.tournament import stage


def test_a_bot_is_withdrawn_and_let_in_again(house: Home) -> None:
    house.tournament(QUICK)
    said = house.done("withdraw", "sh12")
    assert re.fullmatch(
        r"sh12 has been withdrawn since \w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC\n", said
    )
    assert house.done("withdraw", "sh12") == said
    assert "sh12 v1 (withdrawn)" in house.done("bots")
    assert "sh12" not in house.done("run", "--once", "small")
    assert house.done("withdraw", "--undo", "sh12") == "sh12 plays again\n"
    assert house.done("withdraw", "--undo", "sh12") == "sh12 was not withdrawn\n"
    assert "sh12 v1" in house.done("run", "--once", "small")


def test_a_newer_version_does_not_bring_a_withdrawn_bot_back(house: Home) -> None:
    house.done("withdraw", "sh12")
    (house.bots / "sh12" / "bot.sh").write_text("echo S\n")
    assert house.done("submit", house.bots / "sh12", "--author", "ada").startswith(
        "sh12 v2 is in; it stays withdrawn until `arena withdraw --undo sh12`\n"
    )


def test_a_contest_that_names_a_withdrawn_bot_is_not_played(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12, sh16]\n")
    house.done("withdraw", "sh12")
    said = house.refused("run", "--until-idle")
    assert "sh12 is named under `entrants:` but has been withdrawn since" in said


def test_only_a_bot_that_is_there_can_be_withdrawn(house: Home) -> None:
    assert house.refused("withdraw", "sh13@1").startswith("no bot is called 'sh13@1'; did you mean")


def test_a_withdrawn_bot_still_plays_at_a_table_that_is_not_kept(house: Home) -> None:
    house.done("withdraw", "sh12")
    guest = house.bot(stage.shell("guest", 17))
    assert "sh12 v1" in house.done("play", "blackjack", guest, "sh12", "--options", "hands=1")
