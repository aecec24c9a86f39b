"""Signing in through a university or GitHub: who is believed, and who is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from werkzeug.test import TestResponse

from card_arena.accounts.settings import AccountSettings
from card_arena.common.checkout import ROOT
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import opened_app
from card_arena.tests.accounts.university import CLIENT, SECRET, Key, University, open_university
from card_arena.tests.results.made import made_submission


@pytest.fixture
def university() -> Iterator[University]:
    with open_university() as found:
        yield found


def site(porch: Porch, university: University, **said: object) -> Flask:
    settings = AccountSettings.model_validate(
        {
            "oidc": {"issuer": university.issuer, "client_id": CLIENT, "name": "TU", **said},
            "github": {"server": university.issuer, "client_id": CLIENT, **said},
        }
    )
    secrets = {"oidc": SECRET, "github": SECRET}
    return opened_app(porch, settings, secrets=secrets, origin="https://cards.example")


@pytest.fixture
def app(porch: Porch, university: University) -> Iterator[Flask]:
    app = site(porch, university)
    yield app
    app.extensions["arena"].store.close()


def leave(browser: Browser, how: str = "oidc") -> dict[str, str]:
    """Press the button; what the provider is asked."""
    asked = browser.get(f"/sign-in/with/{how}")
    assert asked.status_code == 302
    return dict(parse_qsl(urlsplit(asked.location).query))


def through(browser: Browser, university: University, how: str = "oidc") -> TestResponse:
    """The whole way: to the provider, and back."""
    back = urlsplit(university.enter(leave(browser, how)))
    assert (back.scheme, back.netloc) == ("https", "cards.example"), "whatever the request says"
    return browser.get(f"{back.path}?{back.query}")


@pytest.mark.parametrize("how", ["oidc", "github"])
def test_who_was_invited_comes_in(app: Flask, university: University, how: str):
    browser = Browser(app)
    browser.get("/submit")
    assert through(browser, university, how).location == "/submit"
    assert "You are <bdi>Ann</bdi>" in browser.get("/mine").text


def test_the_page_for_signing_in_names_both(app: Flask):
    page = Browser(app).get("/sign-in").text
    assert "Sign in with TU" in page
    assert "Sign in with GitHub" in page
    assert Browser(app).get("/sign-in/with/nobody").status_code == 404


def test_a_person_is_known_by_their_number_there_when_the_address_changes(
    app: Flask, university: University
):
    through(Browser(app), university)
    university.about["email"] = "ann.miller@example.org"
    browser = Browser(app)
    assert through(browser, university).status_code == 303
    assert "You are <bdi>Ann</bdi>" in browser.get("/mine").text


@pytest.mark.parametrize("how", ["oidc", "github"])
def test_another_account_of_the_same_provider_does_not_get_in_by_the_address(
    app: Flask, university: University, porch: Porch, how: str
):
    through(Browser(app), university, how)
    university.about["sub"], university.user = "s-18", 18
    newcomer = Browser(app)
    answer = through(newcomer, university, how)
    assert answer.status_code == 403
    assert "The account of ann@example.org here is linked to another account" in answer.text
    assert newcomer.get("/mine").status_code == 303
    porch.accounts.change_person("unlink", "ann@example.org", reason="she has a new account there")
    assert through(newcomer, university, how).location == "/mine"


@pytest.mark.parametrize("how", ["oidc", "github"])
def test_who_was_not_invited_is_told_so(app: Flask, university: University, how: str):
    university.about["email"] = university.emails[0]["email"] = "eve@example.org"  # type: ignore[index]
    browser = Browser(app)
    answer = through(browser, university, how)
    assert answer.status_code == 403
    assert "There is no account for eve@example.org here: ask the organiser" in answer.text
    assert browser.get("/mine").status_code == 303


EVE = {"sub": "s-66", "email": "eve@uni.example", "email_verified": True, "name": "Red"}


@pytest.mark.parametrize("said", [{"anybody": True}, {"domains": ["uni.example"]}])
def test_who_may_come_by_themselves_gets_a_team_that_is_nobody_elses(
    porch: Porch, university: University, said: dict[str, object]
):
    porch.store.submit(made_submission("house"), "RED 2")
    app = site(porch, university, **said)
    university.about = dict(EVE)
    browser = Browser(app)
    assert through(browser, university).location == "/mine"
    (eve,) = (each for each in porch.accounts.people() if each.email == "eve@uni.example")
    assert [team.name for team in eve.teams] == ["Red 3"], "Red is a team, RED 2 an author"
    again = Browser(app)
    assert through(again, university).location == "/mine"
    assert len(porch.accounts.people()) == 3
    app.extensions["arena"].store.close()


def test_who_comes_from_another_domain_does_not(porch: Porch, university: University):
    app = site(porch, university, domains=["uni.example"])
    for email in ("eve@notuni.example", "eve@uni.example.org"):
        university.about = {**EVE, "email": email}
        assert through(Browser(app), university).status_code == 403
    assert len(porch.accounts.people()) == 2
    app.extensions["arena"].store.close()


def test_who_is_suspended_stays_out(porch: Porch, university: University):
    app = site(porch, university, anybody=True)
    through(Browser(app), university)
    before = [person.email for person in porch.accounts.people()]
    porch.accounts.change_person("suspend", "ann@example.org", reason="copied")
    assert through(Browser(app), university).status_code == 403
    university.about["email"] = "ann.new@example.org"
    assert through(Browser(app), university).status_code == 403, "with a new address"
    university.about.update(sub="s-18", email="ann@example.org")
    assert through(Browser(app), university).status_code == 403
    assert [person.email for person in porch.accounts.people()] == before
    app.extensions["arena"].store.close()


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another site"},
        {"aud": ["another site", "a third one"]},
        {"aud": [CLIENT, "another site"]},
        {"aud": [CLIENT, "another site"], "azp": "another site"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": 4_000_000_000},
        {"sub": None},
        {"azp": "another site"},
        {"email_verified": False},
        {"email_verified": None},
        {"email_verified": "true"},
        {"email": None},
        {"email": ["ann@example.org"]},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_is_not_believed(
    app: Flask, university: University, claims: dict[str, object]
):
    university.claims = claims
    browser = Browser(app)
    assert through(browser, university).status_code == 403
    assert browser.get("/mine").status_code == 303


def test_a_token_that_somebody_else_signed_is_not_believed(app: Flask, university: University):
    university.signs = RSAKey.generate_key(2048, {"kid": "k1"})
    assert through(Browser(app), university).status_code == 403
    university.signs = OctKey.generate_key(256)
    university.header = {"alg": "HS256", "kid": "k1"}
    assert through(Browser(app), university).status_code == 403


@pytest.mark.parametrize("algorithm", ["none", "HS256", "HS512"])
def test_an_id_token_that_needs_no_private_key_never_counts_whatever_the_provider_says_of_itself(
    app: Flask, university: University, algorithm: str
):
    """Even if its document names the algorithm, and its keys hold the secret."""
    shared = OctKey.import_key(SECRET.ljust(64), {"kid": "k1"})
    university.algorithms = [algorithm, "RS256"]
    university.keys = [dict(shared.as_dict())]
    university.signs = shared
    university.header = {"alg": algorithm, "kid": "k1"}
    browser = Browser(app)
    assert through(browser, university).status_code == 403
    assert browser.get("/mine").status_code == 303


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize(
    ("algorithm", "key"),
    [
        ("RS256", RSAKey.generate_key(2048, {"kid": "k1"})),
        ("PS256", RSAKey.generate_key(2048, {"kid": "k1"})),
        ("ES256", ECKey.generate_key("P-256", {"kid": "k1"})),
        ("EdDSA", OKPKey.generate_key("Ed25519", {"kid": "k1"})),
    ],
)
def test_an_id_token_that_a_private_key_signed_counts_whatever_the_provider_says_of_itself(
    app: Flask, university: University, algorithm: str, key: Key
):
    university.algorithms = ["none"]
    university.keys = [dict(key.as_dict(private=False))]
    university.signs = key
    university.header = {"alg": algorithm, "kid": "k1"}
    assert through(Browser(app), university).location == "/mine"


def test_an_address_that_github_has_not_verified_does_not_count(app: Flask, university: University):
    for emails in (
        [{"email": "ann@example.org", "primary": True, "verified": False}],
        [{"email": "ann@example.org", "primary": False, "verified": True}],
        [],
    ):
        university.emails = emails
        answer = through(Browser(app), university, "github")
        assert answer.status_code == 403
        assert "does not vouch for your e-mail address" in answer.text


def test_only_the_browser_that_left_comes_back(app: Flask, university: University):
    ann, eve = Browser(app), Browser(app)
    back = urlsplit(university.enter(leave(ann)))
    assert eve.get(f"{back.path}?{back.query}").status_code == 403, "a code of somebody else"
    leave(ann)
    code = dict(parse_qsl(back.query))["code"]
    for state in ("", "forged", dict(parse_qsl(back.query))["state"]):
        assert ann.get(f"{back.path}?code={code}&state={state}").status_code == 403
    assert ann.get(back.path).status_code == 403
    assert ann.get("/mine").status_code == eve.get("/mine").status_code == 303


def test_a_code_works_once(app: Flask, university: University):
    browser = Browser(app)
    back = urlsplit(university.enter(leave(browser)))
    assert browser.get(f"{back.path}?{back.query}").status_code == 303
    browser.send("/sign-out", page="/mine")
    assert browser.get(f"{back.path}?{back.query}").status_code == 403


def test_a_provider_that_says_no_or_is_not_there_is_told_in_a_sentence(
    app: Flask, university: University, porch: Porch
):
    browser = Browser(app)
    state = leave(browser)["state"]
    answer = browser.get(f"/sign-in/with/oidc/back?error=%3Cb%3Edenied&state={state}")
    assert answer.status_code == 403
    assert "TU has not signed you in" in answer.text
    assert "<b>" not in answer.text
    nowhere = University()
    nowhere.issuer = "http://127.0.0.1:9"
    gone = site(porch, nowhere)
    answer = Browser(gone).get("/sign-in/with/oidc")
    assert (answer.status_code, "TU has not signed you in" in answer.text) == (403, True)
    gone.extensions["arena"].store.close()


def test_authlib_is_imported_where_a_provider_is_named_and_nowhere_else(porch: Porch):
    code = (
        "import sys; from flask import Flask; import card_arena.accounts.web.pages;"
        "from card_arena.accounts.settings import AccountSettings;"
        "from card_arena.accounts.web import providers, context;"
        "print(providers.providers(Flask('x'), AccountSettings(), {}), 'authlib' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout == "{} False\n", ran.stderr


@pytest.mark.parametrize("address", ["http://login.example", "ftp://login.example", "login"])
def test_a_provider_without_encryption_is_refused(address: str):
    with pytest.raises(ValueError, match="begins with https"):
        AccountSettings.model_validate({"oidc": {"issuer": address, "client_id": "x"}})
