"""A bot as its author manages it on a page: what is ordered, and that others can't."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from card_arena.leaderboard.bots import bot as read_bot
from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run
from card_arena.tournament.play.steps import finish

PAGE = "/mine/bot/davey"


@pytest.fixture
def there(ann: Browser, porch: Porch) -> Porch:
    """Ann has a bot in two versions."""
    for limit in (15, 16):
        porch.add_upload(porch.ann, bot("davey", limit))
        finish(porch.intake().take_all(stage.Here()))
    return porch


def request(browser: Browser, porch: Porch, **fields: object) -> str:
    """Send a form, have it carried out, and read the page."""
    assert browser.send(PAGE, **fields).status_code == 303
    assert '<span class="tag next">waiting</span>' in browser.get(PAGE).text
    porch.carry_out()
    return browser.get(PAGE).text


def test_an_older_version_is_chosen(ann: Browser, there: Porch):
    assert "New seasons enter v2." in ann.get(PAGE).text
    assert "New seasons enter v1." in request(ann, there, what="activate", number="1")
    assert there.store.version("davey").number == 1
    assert "chosen by its author" in ann.get("/bot/davey").text


def test_a_bot_is_withdrawn_and_comes_back(ann: Browser, there: Porch):
    assert "It enters no new season." in request(ann, there, what="withdraw")
    assert "davey plays again" in request(ann, there, what="readmit")


def test_a_title_is_shown_beside_the_name_and_does_no_harm(ann: Browser, there: Porch):
    request(ann, there, what="title", title="<script>1</script>")
    for path in ("/bots", "/bot/davey", PAGE, "/mine"):
        text = ann.get(path).text
        assert "&lt;script&gt;1" in text, path
        assert "<script>1" not in text, path
    assert "davey has no title" in request(ann, there, what="title", title="")


def test_a_title_that_is_declined_says_why(ann: Browser, there: Porch):
    there.add_upload(there.bob, bot("rival"))
    finish(there.intake().take_all(stage.Here()))
    assert "looks like &#39;rival&#39;" in request(ann, there, what="title", title="RIVAL!")


def test_what_never_played_is_deleted_by_whoever_is_sure(ann: Browser, there: Porch):
    refused = ann.send(PAGE, what="delete", number="2")
    assert refused.status_code == 400
    assert "Say that you are sure" in refused.text
    assert "davey v2 is deleted" in request(ann, there, what="delete", number="2", sure="yes")
    ann.send(PAGE, what="delete", sure="yes")
    there.carry_out()
    assert ann.get(PAGE).status_code == 404


def test_what_has_played_is_not_offered_for_deletion(ann: Browser, porch: Porch):
    played(porch)
    assert "Delete davey" not in ann.get(PAGE).text
    assert "can&#39;t be deleted" in request(ann, porch, what="delete", sure="yes")


@pytest.mark.parametrize(
    "fields", [{}, {"what": "promote"}, {"what": "delete"}, {"what": "activate", "number": "x"}]
)
def test_a_form_that_says_nothing_is_refused(ann: Browser, there: Porch, fields: dict[str, object]):
    assert ann.send(PAGE, **fields).status_code == 400
    assert there.accounts.waiting_operations() == []


def test_not_too_many_operations_wait(ann: Browser, there: Porch):
    for _ in range(20):
        assert ann.send(PAGE, what="withdraw").status_code == 303
    assert ann.send(PAGE, what="withdraw").status_code == 429


def test_bots_of_others_are_as_good_as_none(ann: Browser, bob: Browser, there: Porch):
    for path in (PAGE, f"{PAGE}/decisions.jsonl", f"{PAGE}@1"):
        theirs, none = bob.get(path), bob.get(path.replace("davey", "nobody"))
        assert theirs.status_code == none.status_code == 404
        assert theirs.text.replace("davey", "") == none.text.replace("nobody", "")
    token = bob.send(PAGE, page="/submit", what="withdraw")
    assert token.status_code == 404
    assert there.accounts.waiting_operations() == []


def test_an_organiser_manages_every_bot(boss: Browser, there: Porch):
    assert "It enters no new season." in request(boss, there, what="withdraw")


def test_all_decisions_are_lines_of_json(ann: Browser, bob: Browser, porch: Porch):
    played(porch)
    answer = ann.get(f"{PAGE}/decisions.jsonl")
    assert answer.mimetype == "application/jsonl"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    (season,) = porch.store.seasons("small")
    davey = porch.store.version("davey").id
    results = porch.store.results(season.id)
    assert len(lines) > 5
    assert {line["match"] for line in lines} == {
        result.key for result in results if davey in result.versions
    }
    assert {line["version"] for line in lines} == {1}
    assert {*lines[0]} == {
        *("match", "game", "turn", "seat", "version", "question", "answer", "action"),
        *("fault", "wall", "cpu", "peak"),
    }
    assert ann.get(f"{PAGE}/decisions.jsonl?season=small/1").text == answer.text
    assert ann.get(f"{PAGE}/decisions.jsonl?season=small/2").text == ""
    assert ann.get(f"{PAGE}/decisions.jsonl?season=small/x").status_code == 400
    for _ in range(5):
        assert ann.get(f"{PAGE}/decisions.jsonl").status_code == 200, "a place is given back"


def test_what_was_deleted_can_be_handed_in_again(ann: Browser, porch: Porch):
    for expected in ("davey v1", "davey v1"):
        answer = ann.send("/submit", bundle=archive("davey", 15))
        finish(porch.intake().take_all(stage.Here()))
        assert expected in ann.get(answer.headers["Location"]).text
        porch.store.delete_bot("davey")
    assert len(porch.accounts.newest_uploads()) == 2


def test_the_page_margins_to_matches_and_logs(ann: Browser, app: Flask, porch: Porch):
    played(porch)
    page = ann.get(PAGE).text
    assert "/mine/match/small/0001/" in page
    assert "#stderr" in page
    assert "secret plan" not in Browser(app).get("/bot/davey").text


def test_its_author_reads_why_a_bot_is_on_probation_and_has_it_checked_again(
    ann: Browser, porch: Porch, tmp_path: Path
):
    crashing = stage.Bot("davey", "argv", "shell", "#!/bin/sh\nexit 1\n")
    stage.submit(porch.store, crashing.write(tmp_path / "bots"), "Red")
    porch.accounts.give_author(porch.ann.teams[0].id)
    porch.add_upload(porch.bob, bot("rival", 12))
    finish(porch.intake().take_all(stage.Here()))
    settings = stage.tournament(
        sandbox="bare", legs=5, rounds=5, probation=True, sanity_check=False
    )
    run(porch.store, [settings], stage.Notes(), wait=False, pool=stage.Here())
    for where in ("/mine", PAGE):
        page = ann.get(where).text
        assert "on probation" in page
        assert "its last 10 answers were faults of one kind: crash" in page
    assert "Check v1 again" in page
    page = request(ann, porch, what="check")
    assert "davey v1 has not passed the check" in page


def test_all_faults_and_matches_of_a_bot_are_listed_and_margin_to_what_was_asked(
    ann: Browser, bob: Browser, porch: Porch, tmp_path: Path
):
    source = "#!/bin/sh\necho my plan >&2\necho nonsense\n"
    for person, each in (
        (porch.ann, stage.Bot("davey", "argv", "shell", source)),
        (porch.bob, stage.shell("rival", 12)),
    ):
        stage.submit(porch.store, each.write(tmp_path / "bots"), person.teams[0].name)
        porch.accounts.give_author(person.teams[0].id)
    settings = stage.tournament(sandbox="bare", legs=6, rounds=1, sanity_check=False)
    run(porch.store, [settings], stage.Notes(), wait=False, pool=stage.Here())
    page = ann.get(PAGE).text
    assert f'href="{PAGE}/faults"' in page
    assert f'href="{PAGE}/matches"' in page
    faults = ann.get(f"{PAGE}/faults").text
    total = read_bot(porch.store, "davey").fault_counts["malformed"]
    assert f"{total} faults" in faults
    link = unescape(re.findall(r'href="(/mine/match/[^"#]*faults=[^"#]*)', faults)[0])
    asked = ann.get(link).text
    assert "nonsense" in asked
    assert "my plan" in asked
    assert f"{total} faults" in ann.get(f"{PAGE}/faults?kind=malformed&tournament=small").text
    for other in ("kind=crash", "tournament=large"):
        assert '<p class="quiet">None.</p>' in ann.get(f"{PAGE}/faults?{other}").text
    matches = ann.get(f"{PAGE}/matches?tournament=small").text
    assert matches.count('href="/mine/match/') == 6
    assert "0 matches" in ann.get(f"{PAGE}/matches?tournament=large").text
    for path in ("faults", "matches"):
        assert bob.get(f"{PAGE}/{path}").status_code == 404
