"""People, teams and bots that somebody could be taken for, or could get hold of."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from card_arena.accounts.entries import Limits
from card_arena.accounts.settings import OpenIdSettings
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.people import BadAccount, NoEntry
from card_arena.accounts.web.access import FORM, allowed
from card_arena.accounts.web.visitors import SECRET
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish

KELVIN = "\u212a"  # str.lower makes a k of it


def taken_in(porch: Porch, name: str, limit: int = 15) -> str:
    upload = porch.add_upload(porch.ann, bot(name, limit))
    finish(porch.intake().take_all(stage.Here()))
    return porch.now(upload).state


def moved_to_blue(porch: Porch) -> None:
    porch.accounts.request_operation(None, "move", "davey", author="Blue", reason="she has left")


def test_two_people_of_one_name_have_two_teams(accounts: AccountStore):
    first, _ = accounts.invite("Anna Smith", "first@example.org")
    second, _ = accounts.invite("Anna Smith", "second@example.org")
    third, _ = accounts.invite("anna smith", "third@example.org")
    names = [[team.name for team in person.teams] for person in (first, second, third)]
    assert names == [["Anna Smith"], ["Anna Smith 2"], ["anna smith 3"]]
    again, _ = accounts.invite("Anna Smith", "second@example.org")
    assert again.teams == second.teams
    partner, _ = accounts.invite("Ben", "ben@example.org", team="Anna Smith")
    assert partner.teams == first.teams, "whoever names a team means it"


@pytest.mark.parametrize("name", ["R\u0435d", "RED", "Re\u0301d"])
def test_who_comes_by_themselves_gets_no_team_that_looks_like_another(
    accounts: AccountStore, name: str
):
    accounts.invite("Ann", "ann@example.org", team="Red")
    person = accounts.welcome("github", "7", "new@example.org", name, [])
    assert person.teams[0].name == f"{name} 2"


@pytest.mark.parametrize("name", ["", "..", " - "])
def test_who_comes_by_themselves_without_a_name_is_called_by_the_address(
    accounts: AccountStore, name: str
):
    person = accounts.welcome("github", "7", "new@example.org", name, [])
    assert (person.name, person.teams[0].name) == ("new", "new")
    for email in ("..@example.org", ".@example.org", "-@example.org"):
        with pytest.raises(NoEntry):
            accounts.welcome("github", "8", email, name, [])


def test_a_team_is_not_renamed_to_look_like_another(accounts: AccountStore):
    accounts.invite("Ann", "ann@example.org", team="Red")
    accounts.invite("Bob", "bob@example.org", team="Blue")
    for name in ("Red", "red", "R\u0435d"):
        with pytest.raises(BadAccount, match="there is a team called 'Red' already"):
            accounts.rename_team("Blue", name)
        with pytest.raises(BadAccount, match="there is a team called 'Red' already"):
            accounts.join("bob@example.org", name if name != "Red" else "RED")
    accounts.rename_team("Blue", "BLUE")


def test_a_team_is_not_renamed_to_the_author_of_bots(boss: Browser, porch: Porch, tmp_path: Path):
    house = stage.shell("davey", 15).write(tmp_path / "bots")
    stage.submit(porch.store, house, author="House")
    team = porch.bob.teams[0]
    answer = boss.send(f"/admin/team/{team.id}/name", page=f"/admin/team/{team.id}", name="house")
    assert answer.status_code == 400
    assert "House is the author of bots" in answer.text
    assert [each.name for each in porch.accounts.teams() if each.id == team.id] == ["Blue"]


def test_a_letter_that_becomes_another_in_small_makes_no_address_the_same(accounts: AccountStore):
    accounts.invite("Kim", "kim@example.org", role="organiser")
    with pytest.raises(NoEntry):
        accounts.identify("github", "7", f"{KELVIN}im@example.org")
    assert accounts.link_on_request(f"{KELVIN}im@example.org") is None
    assert accounts.identify("github", "8", "Kim@Example.org").name == "Kim"
    students = OpenIdSettings(
        issuer="https://login.example", client_id="x", domains=("akademy.example",)
    )
    assert students.admits("kim@AKADEMY.example")
    assert not students.admits(f"kim@a{KELVIN}ademy.example")


def test_a_cookie_is_good_for_its_own_account_alone_even_where_the_key_was_copied(
    porch: Porch, ann: Browser, tmp_path: Path
):
    """A folder is copied for a second arena, in which other people come afterwards."""
    with ann.client.session_transaction() as kept:
        secret = kept[SECRET]
    (tmp_path / "second").mkdir()
    other = AccountStore(f"sqlite:///{tmp_path / 'second' / 'arena.db'}")
    for each in range(5):
        other.invite(f"Other {each}", f"other{each}@example.org", role="organiser")
        other.begin_session(each + 1)
    assert porch.accounts.whose_session(secret) == porch.ann.id
    assert other.whose_session(secret) is None
    other.close()


def test_signing_out_ends_a_copy_of_the_cookie_and_no_other_session(
    app: Flask, porch: Porch, ann: Browser
):
    phone, thief = Browser(app), Browser(app)
    phone.enter(porch.accounts.new_link("ann@example.org")[1])
    cookie = ann.client.get_cookie("arena")
    assert cookie is not None
    thief.client.set_cookie("arena", cookie.value)
    assert thief.get("/mine").status_code == 200
    ann.send("/sign-out", page="/mine")
    assert [each.get("/mine").status_code for each in (ann, thief, phone)] == [303, 303, 200]
    head = {"COOKIE": f"arena={cookie.value}"}
    assert allowed(app, lambda: 2**24, head).most == FORM


def test_whoever_signs_in_with_a_browser_ends_the_session_that_it_had(
    app: Flask, porch: Porch, ann: Browser
):
    cookie = ann.client.get_cookie("arena")
    assert cookie is not None
    ann.enter(porch.accounts.new_link("bob@example.org")[1])
    thief = Browser(app)
    thief.client.set_cookie("arena", cookie.value)
    assert thief.get("/mine").status_code == 303


def test_an_ended_session_brings_no_file(app: Flask, porch: Porch, ann: Browser):
    cookie = ann.client.get_cookie("arena")
    assert cookie is not None
    head = {"COOKIE": f"arena={cookie.value}"}
    assert allowed(app, lambda: 2**24, head).most == 2**24
    porch.accounts.change_person("suspend", "ann@example.org", reason="copied")
    assert allowed(app, lambda: 2**24, head).most == FORM
    porch.accounts.change_person("restore", "ann@example.org", reason="it was another Ann")
    assert allowed(app, lambda: 2**24, head).most == FORM, "it has ended for good"


@pytest.mark.parametrize(
    ("what", "details"),
    [
        ("withdraw", {}),
        ("title", {"title": "Mine"}),
        ("activate", {"number": "1"}),
        ("delete", {"number": "1", "sure": "yes"}),
    ],
)
def test_an_operation_about_a_bot_that_is_somebody_elses_meanwhile_is_declined(
    ann: Browser, porch: Porch, what: str, details: dict[str, str]
):
    for limit in (15, 16):
        taken_in(porch, "davey", limit)
    moved_to_blue(porch)
    assert ann.send("/mine/bot/davey", what=what, **details).status_code == 303
    assert porch.carry_out() == "davey is another author's bot"
    version = porch.store.version("davey")
    assert (version.number, version.title, version.withdrawn) == (2, "", None)


def test_a_bot_that_comes_back_is_not_one_too_many(ann: Browser, porch: Porch):
    porch.accounts.set_limits(Limits(bots=1))
    assert taken_in(porch, "davey") == "accepted"
    ann.send("/mine/bot/davey", what="withdraw")
    porch.carry_out()
    assert taken_in(porch, "second") == "accepted"
    answer = ann.send("/mine/bot/davey", what="readmit")
    assert answer.status_code == 409
    assert "Your team already has 1 active bot (limit 1): second." in answer.text
    ann.send("/mine/bot/second", what="withdraw")
    porch.carry_out()
    assert ann.send("/mine/bot/davey", what="readmit").status_code == 303
    assert ann.send("/mine/bot/second", what="readmit").status_code == 303, "none plays yet"
    porch.carry_out()
    assert porch.said[-1].endswith("Red already has 1 active bots (the limit). Withdraw one first.")
    assert porch.store.version("second").withdrawn is not None


def test_a_persons_own_limit_holds_for_bots_that_come_back(ann: Browser, porch: Porch):
    porch.accounts.set_limits(Limits(bots_a_person=1))
    assert taken_in(porch, "davey") == "accepted"
    ann.send("/mine/bot/davey", what="withdraw")
    porch.carry_out()
    assert taken_in(porch, "second") == "accepted"
    answer = ann.send("/mine/bot/davey", what="readmit")
    assert answer.status_code == 409
    assert "The uploader already has 1 active bot (limit 1): second." in answer.text
    porch.accounts.request_operation(None, "move", "second", name="other", reason="a typo")
    porch.carry_out()
    assert ann.send("/mine/bot/davey", what="readmit").status_code == 409, "by its new name too"
    assert taken_in(porch, "third") == "rejected"


def test_what_an_organiser_has_withdrawn_its_author_does_not_let_in_again(
    ann: Browser, boss: Browser, porch: Porch
):
    taken_in(porch, "davey")
    porch.accounts.request_operation(None, "withdraw", "davey")
    refused = ann.send("/mine/bot/davey", what="readmit")
    assert refused.status_code == 403, "while the order waits"
    porch.carry_out()
    ann.send("/mine/bot/davey", what="withdraw")
    porch.carry_out()
    refused = ann.send("/mine/bot/davey", what="readmit")
    assert refused.status_code == 403
    assert "An organiser has withdrawn this bot" in refused.text
    porch.accounts.request_operation(None, "move", "davey", name="david", reason="a name was taken")
    porch.carry_out()
    assert ann.send("/mine/bot/david", what="readmit").status_code == 403
    assert boss.send("/mine/bot/david", what="readmit").status_code == 303
    porch.carry_out()
    assert porch.store.version("david").withdrawn is None
    for what in ("withdraw", "readmit"):
        assert ann.send("/mine/bot/david", what=what).status_code == 303
        porch.carry_out()
    assert porch.store.version("david").withdrawn is None


def test_what_is_requested_about_a_namesake_is_told_to_nobody(ann: Browser, porch: Porch):
    """Tournaments have the names of bots, and a bot that is gone leaves its name to others."""
    porch.accounts.request_operation(porch.bob.id, "title", "davey", title="Earlier")
    porch.carry_out()
    taken_in(porch, "davey")
    porch.accounts.request_operation(None, "pause", "davey", reason="somebody copied")
    porch.carry_out()
    page = ann.get("/mine/bot/davey").text
    assert "somebody copied" not in page
    assert "Bob" not in page
    porch.accounts.request_operation(None, "tag", "davey", tags=["student"])
    assert ": tag" in ann.get("/mine/bot/davey").text


def test_what_somebody_uploaded_who_is_suspended_before_it_is_checked_does_not_come_in(
    porch: Porch,
):
    upload = porch.add_upload(porch.ann, bot("davey"))
    porch.accounts.change_person("suspend", "ann@example.org", reason="copied")
    finish(porch.intake().take_all(stage.Here()))
    assert porch.now(upload).reason == "the account of its uploader is suspended"
    assert [*porch.folder.iterdir()] == []
    assert porch.store.latest("blackjack") == []


@pytest.mark.parametrize("then", ["suspended", "left the team", "no organiser"])
def test_an_operation_of_somebody_who_may_not_give_it_any_more_is_declined(
    ann: Browser, boss: Browser, porch: Porch, then: str
):
    taken_in(porch, "davey")
    who = boss if then == "no organiser" else ann
    assert who.send("/mine/bot/davey", what="withdraw").status_code == 303
    if then == "suspended":
        porch.accounts.change_person("suspend", "ann@example.org", reason="copied")
    elif then == "left the team":
        porch.accounts.leave("ann@example.org", "Red")
    else:
        porch.accounts.change_person("role", "boss@example.org", role="author")
    porch.carry_out()
    assert "may not do that any more" in porch.said[-1]
    assert porch.store.version("davey").withdrawn is None
