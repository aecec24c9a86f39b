"""Tokens on their owner's page: made, shown once, and revoked."""

from __future__ import annotations

import re

import pytest

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch

PAGE = "/mine/tokens"


def made(browser: Browser, **fields: str) -> str:
    text = browser.send(PAGE, **{"name": "CI", "scope": "submit", "days": "30", **fields}).text
    found = re.search(r"<code>(arena_\S+)</code>", text)
    assert found, text
    return found[1]


def test_a_token_is_shown_once_and_works(ann: Browser, porch: Porch):
    secret = made(ann)
    page = ann.get(PAGE).text
    assert secret not in page
    assert "<bdi>CI</bdi>" in page
    assert '<span class="quiet">never</span>' in page
    token = porch.accounts.bearer(secret)
    assert token is not None
    assert (token.person_id, token.scope) == (porch.ann.id, "submit")
    assert '<span class="quiet">never</span>' not in ann.get(PAGE).text, "its use is shown"


def test_a_revoked_token_is_worth_nothing(ann: Browser, bob: Browser, porch: Porch):
    secret = made(ann)
    assert bob.send(f"{PAGE}/1/revoke", page=PAGE).status_code == 404, "it is Ann's"
    assert porch.accounts.bearer(secret) is not None
    assert ann.send(f"{PAGE}/1/revoke", page=PAGE).status_code == 303
    assert porch.accounts.bearer(secret) is None
    assert "No tokens." in ann.get(PAGE).text


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": ""}, "must have 1 to 80 characters"),
        ({"days": "0"}, "valid for 1 to 366 days"),
        ({"days": "367"}, "valid for 1 to 366 days"),
        ({"days": "99999999999999999999"}, "valid for 1 to 366 days"),
        ({"days": "soon"}, "valid for 1 to 366 days"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(
    ann: Browser, porch: Porch, fields: dict[str, str], reason: str
):
    given = {"name": "CI", "scope": "submit", "days": "30", **fields}
    answer = ann.send(PAGE, **given)
    assert answer.status_code == 400
    assert reason in answer.text
    assert porch.accounts.tokens(porch.ann.id) == []


def test_the_name_of_a_token_does_no_harm(ann: Browser):
    made(ann, name="<script>1</script>")
    assert "<script>1" not in ann.get(PAGE).text
