"""What organisers tell everybody, or one team."""

from __future__ import annotations

import pytest
from flask import Flask

from card_arena.accounts.storage.messages import BadMessage
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch


def test_a_message_is_shown_to_those_whom_it_is_for_until_dismissed(
    boss: Browser,
    ann: Browser,
    app: Flask,
    porch: Porch,
):
    bob = Browser(app)
    bob.enter(porch.accounts.new_link("bob@example.org")[1])
    boss.send("/admin/messages", text="For all of you", team="")
    boss.send("/admin/messages", text="For Red alone", team="Red")
    assert "For all of you" in bob.get("/submit").text
    assert "For Red alone" not in bob.get("/mine").text
    page = ann.get("/submit").text
    assert page.index("For Red alone") < page.index("<h1>")
    answer = ann.send("/messages/2/dismiss", page="/submit", back="/submit")
    assert answer.location == "/submit"
    assert "For Red alone" not in ann.get("/submit").text
    assert "For all of you" in ann.get("/submit").text
    boss.send("/admin/messages/1/end", page="/admin/messages")
    assert "For all of you" not in bob.get("/mine").text


def test_dismissing_margins_to_no_other_site_and_tells_of_no_message_of_others(
    ann: Browser, porch: Porch
):
    porch.accounts.send_message("For Blue alone", "Blue")
    for number in (1, 2):
        answer = ann.send(f"/messages/{number}/dismiss", page="/submit", back="//evil.example")
        assert (answer.status_code, answer.location) == (303, "/mine")
    assert [message.text for message in porch.accounts.messages_for(porch.bob)] == [
        "For Blue alone"
    ]


def test_a_message_ends_by_itself_and_one_of_nothing_is_refused(boss: Browser, porch: Porch):
    for text, ends in (("", ""), ("x" * 2001, ""), ("late", "2020-01-01T00:00")):
        assert boss.send("/admin/messages", text=text, ends=ends).status_code == 400
    with pytest.raises(BadMessage, match="there is no message"):
        porch.accounts.end_message(7)
    assert porch.accounts.messages() == []
