"""Whose bots are a team's: those that it handed in or was given, and not those of a namesake."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from card_arena.accounts.storage.people import BadAccount
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program
from card_arena.tests.tournament import stage

OWN = "/mine/bot/davey"


@pytest.fixture
def house(porch: Porch, tmp_path: Path) -> Porch:
    """The same arena with a bot of House, whom no team has handed in."""
    stage.submit(porch.store, stage.shell("davey", 15).write(tmp_path / "bots"), author="House")
    return porch


def in_team(app: Flask, porch: Porch, team: str) -> Browser:
    """Somebody's browser who is put into a team of this name, whatever that is called like."""
    found = Browser(app)
    found.enter(porch.accounts.invite("Eve", "eve@example.org", team=team)[1])
    return found


@pytest.mark.parametrize("team", ["House", "house", "Hou\u0455e"])
def test_who_is_called_like_the_author_of_bots_owns_none(app: Flask, house: Porch, team: str):
    eve = in_team(app, house, team)
    assert eve.get(OWN).status_code == 404
    assert "davey" not in eve.get("/mine").text
    person = next(each for each in house.accounts.people() if each.name == "Eve")
    assert not person.belongs_to("House")
    program = Program(app, house, person, "manage")
    assert program.send("bots/davey/operations", {"what": "withdraw"}).status_code == 404
    for name in ("davey", "other"):
        upload = house.settled(house.add_upload(person, bot(name, 16)))
        assert upload.state == "rejected"
        assert upload.reason == (
            f"House is the author of bots that were not given to the team {team}: ask an organiser"
            " to give them to it, or to rename it"
        )
    assert house.store.version("davey").number == 1


def test_a_team_that_was_there_first_owns_nothing_either(app: Flask, porch: Porch, tmp_path: Path):
    """Somebody who came by themselves is called as the organiser's own bots are later."""
    eve = in_team(app, porch, "House")
    stage.submit(porch.store, stage.shell("davey", 15).write(tmp_path / "bots"), author="House")
    assert eve.get(OWN).status_code == 404


def test_a_team_owns_what_it_handed_in_and_what_comes_to_its_author_later(
    app: Flask, porch: Porch, tmp_path: Path
):
    assert porch.accounts.author_of(porch.ann.teams[0].id) is None
    assert porch.settled(porch.add_upload(porch.ann, bot("davey"))).state == "accepted"
    assert porch.accounts.author_of(porch.ann.teams[0].id) == "Red"
    stage.submit(porch.store, stage.shell("more", 15).write(tmp_path / "bots"), author="Red")
    ann = Browser(app)
    ann.enter(porch.accounts.new_link("ann@example.org")[1])
    assert [ann.get(f"/mine/bot/{name}").status_code for name in ("davey", "more")] == [200, 200]
    assert ("Ann", "upload", "1") in porch.what_was_done()
    assert ("", "give an author", "Red") in porch.what_was_done()


@pytest.mark.parametrize("team", ["House", "HOUSE", " House "])
def test_nobody_is_invited_into_a_new_team_of_an_authors_name_unless_it_is_meant(
    boss: Browser, house: Porch, team: str
):
    fields = {"name": "Eve", "email": "eve@example.org", "team": team}
    refused = boss.send("/admin/invite", **fields)
    assert refused.status_code == 400
    assert "House is the author of bots: choose another name for the team" in refused.text
    assert not house.accounts.has_team("House")
    moved = boss.send(f"/admin/person/{house.bob.id}", what="team", team=team)
    assert moved.status_code == 400
    assert "House is the author of bots" in moved.text
    if team == "House":
        assert "/sign-in/" in boss.send("/admin/invite", owns="yes", **fields).text
        assert house.accounts.author_of(house.accounts.team_named("House").id) == "House"
        assert ("Boss", "give an author", "House") in house.what_was_done()


def test_without_a_team_somebody_of_an_authors_name_gets_a_team_of_another(
    boss: Browser, house: Porch
):
    boss.send("/admin/invite", name="House", email="house@example.org")
    boss.send("/admin/invite", name="House", email="house@example.org")
    person = next(each for each in house.accounts.people() if each.name == "House")
    assert [team.name for team in person.teams] == ["House 2"]


def test_an_organiser_gives_a_team_the_bots_of_its_name_and_the_log_says_so(
    app: Flask, boss: Browser, house: Porch
):
    eve = in_team(app, house, "House")
    team = house.accounts.team_named("House")
    page = f"/admin/team/{team.id}"
    assert "Give the team these bots" in boss.get(page).text
    assert boss.send(f"{page}/bots", page=page).status_code == 303
    assert "Give the team these bots" not in boss.get(page).text
    assert eve.get(OWN).status_code == 200
    assert ("Boss", "give an author", "House") in house.what_was_done()
    person = next(each for each in house.accounts.people() if each.name == "Eve")
    assert house.settled(house.add_upload(person, bot("davey", 16))).state == "accepted"
    refused = boss.send(f"/admin/team/{team.id}/name", page=page, name="Hut")
    assert "keeps its name" in refused.text


def test_a_team_is_given_nothing_that_is_nobodys_or_another_teams(house: Porch, app: Flask):
    boss, _ = house.accounts.invite("Boss", "boss@example.org", role="organiser")
    program = Program(app, house, boss, "manage")
    red = house.ann.teams[0].id
    refused = program.send(f"admin/teams/{red}/bots")
    assert refused.status_code == 400
    assert refused.json == {"error": "Nobody called 'Red' is the author of a bot."}
    assert house.accounts.author_of(red) is None
    in_team(app, house, "House")
    assert (
        program.send(f"admin/teams/{house.accounts.team_named('House').id}/bots").status_code == 200
    )
    with pytest.raises(BadAccount, match="keeps its name"):
        house.accounts.rename_team("House", "Hut")


def test_a_bot_that_is_moved_to_the_name_of_a_team_without_bots_is_not_the_teams(
    app: Flask, house: Porch
):
    house.accounts.request_operation(None, "move", "davey", author="Blue", reason="it was Bob's")
    house.carry_out()
    bob = Browser(app)
    bob.enter(house.accounts.new_link("bob@example.org")[1])
    assert bob.get(OWN).status_code == 404
    house.accounts.give_author(house.bob.teams[0].id)
    assert bob.get(OWN).status_code == 200
