"""`arena review`: what the decisions of a match cost."""

from __future__ import annotations

import json
import re

from card_arena.tests.cli.home import Home
from card_arena.tests.tournament.reviewers import WORTH, bot

TOURNAMENT = (
    "name: small\ngame: spades\nentrants: [first, last]\noptions: {max_rounds: 1}\n"
    "format: {contest: {rounds: 1}}\n"
)
MATCH = "small/0001/t01/r1/a"


def test_the_dearest_decisions_of_a_match_are_told_with_reasons(partners: Home) -> None:
    partners.tournament(TOURNAMENT)
    partners.done("run", "--once", "small")
    judge = bot(partners.folder, WORTH)
    told = partners.done("review", MATCH, "--by", judge)
    assert re.search(r"decisions reviewed by judge; [0-9]+ cost points for sure:", told)
    assert re.search(r"first v1 in seat [0-3] played \S+, better was \S+: [0-9.]+ \(", told)
    assert f"arena repro {MATCH} 1 " in told
    listed = partners.done("review", MATCH, "--by", judge, "--seat", "1")
    assert len(re.findall(r"^ *1 +\d+ +\S+ ", listed, re.MULTILINE)) >= 10
    review = json.loads(partners.done("review", MATCH, "--by", judge, "--seat", "1", "--json"))
    assert {mark["seat"] for mark in review["marks"]} == {1}
    for account in review["accounts"]:
        explained = account["luck"]["value"] + account["others"]["value"]
        assert abs(explained - account["losses"]["value"] - account["points"]) < 1e-6


def test_what_cannot_be_reviewed_is_said_in_a_sentence(partners: Home) -> None:
    partners.tournament(TOURNAMENT)
    partners.done("run", "--once", "small")
    assert "no match 'small/9' is stored" in partners.refused("review", "small/9")
    assert "its bot.yaml has no `evaluate: true`" in partners.refused(
        "review", MATCH, "--by", "first"
    )
    assert "bot" in partners.done("review", "small")
