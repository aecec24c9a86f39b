"""Taking in what was handed in: each upload ends as one version, or with the reason why not."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from card_arena.common.checkout import ROOT
from card_arena.sandbox.bundles import archives
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.runner_program import RUNNER
from card_arena.tests.tournament import stage
from card_arena.tournament import intake
from card_arena.tournament.intake import QUEUE
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run
from card_arena.tournament.play.steps import finish


def test_a_bot_that_answers_is_a_version_of_its_team(porch: Porch):
    upload = porch.add_upload(porch.ann, bot("davey"))
    assert finish(porch.intake().take_all(stage.Here())) == 1
    found = porch.now(upload)
    assert (found.state, found.bot, found.version) == ("accepted", "davey", 1)
    version = porch.store.version("davey")
    assert version.author == "Red"
    build = porch.store.build(version.id)
    assert build is not None
    assert build.ok
    assert porch.said == ["davey v1 of Red is accepted"]
    assert [*porch.folder.iterdir()] == [], "its file is needed no more"


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (b"no archive", "not a bot: expected a folder, a zip or a tar.gz archive"),
        (archives.pack([("bot.sh", b"")]), "there is no bot.yaml"),
        (bot("davey").replace(b"x", b"y"), ""),
        (bot("davey", source="#!/bin/sh\necho what >&2\n"), "it can't answer at blackjack, step"),
    ],
    ids=["no archive", "no bot.yaml", "damaged", "no answer"],
)
def test_a_bot_that_is_no_good_is_refused_with_the_reason(
    porch: Porch, archive: bytes, reason: str
):
    upload = porch.add_upload(porch.ann, archive)
    finish(porch.intake().take_all(stage.Here()))
    found = porch.now(upload)
    assert found.state == "rejected"
    assert found.reason.startswith(reason)
    assert found.reason
    assert [*porch.folder.iterdir()] == []


def test_what_a_bot_that_can_not_answer_said_is_in_its_log(porch: Porch):
    upload = porch.add_upload(porch.ann, bot("davey", source="#!/bin/sh\necho my mistake >&2\n"))
    finish(porch.intake().take_all(stage.Here()))
    assert "my mistake" in porch.now(upload).log


def test_a_name_of_another_team_is_refused_and_its_bot_left_alone(porch: Porch):
    porch.add_upload(porch.ann, bot("davey"))
    theirs = porch.add_upload(porch.bob, bot("davey", 12))
    finish(porch.intake().take_all(stage.Here()))
    found = porch.now(theirs)
    assert found.reason == (
        "the name davey belongs to another team: choose another name for your bot"
    )
    assert (porch.store.version("davey").author, porch.store.version("davey").number) == ("Red", 1)


def test_a_teams_uploads_become_versions_in_their_order(porch: Porch):
    uploads = [porch.add_upload(porch.ann, bot("davey", limit)) for limit in (12, 13, 14, 13)]
    with WorkerPool(2) as pool:
        assert finish(porch.intake().take_all(pool)) == 4
    assert [porch.now(upload).version for upload in uploads] == [1, 2, 3, 4]


def test_a_file_that_somebody_removed_is_asked_for_again(porch: Porch):
    upload = porch.add_upload(porch.ann, bot("davey"))
    porch.spool.remove(upload.file)
    finish(porch.intake().take_all(stage.Here()))
    assert porch.now(upload).reason.endswith("upload it again")
    assert porch.said == [f"upload {upload.id} of Red has lost its file"]


def broken(*_: object) -> intake.CheckedUpload:
    raise SandboxBroken("the machine is on fire")


def test_where_no_sandbox_stands_an_upload_waits_and_nobody_is_blamed(
    porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    upload = porch.add_upload(porch.ann, bot("davey"))
    taking = porch.intake()
    with monkeypatch.context() as patch:
        patch.setattr(intake, "check_upload", broken)
        patch.setattr(intake, "sandbox_stands", lambda _: False)
        with pytest.raises(SandboxBroken, match="on fire"):
            finish(taking.take_all(stage.Here()))
    assert porch.now(upload).waits
    finish(taking.take_all(stage.Here()))
    assert porch.now(upload).state == "accepted"


def test_a_bot_that_breaks_its_sandbox_while_others_stand_is_refused(
    porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    upload = porch.add_upload(porch.ann, bot("davey"))
    monkeypatch.setattr(intake, "check_upload", broken)
    finish(porch.intake().take_all(stage.Here()))
    assert "a harmless program's sandbox worked: the machine is on fire" in porch.now(upload).reason


def test_what_comes_while_a_season_is_played_is_taken_in_between_its_matches(
    porch: Porch, tmp_path: Path
):
    for limit in (14, 16):
        stage.submit(porch.store, stage.shell(f"lim{limit}", limit).write(tmp_path / "bots"))
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3, same_author="together")
    handed_in = []

    class Audience(stage.Notes):
        def advances(self, headway: object) -> None:
            if not handed_in:
                handed_in.append(porch.add_upload(porch.ann, bot("davey")))

    run(porch.store, [settings], Audience(), wait=False, intake=porch.intake())
    (season,) = porch.store.seasons("small")
    assert season.finished
    finish(porch.intake().take_all(stage.Here()))
    assert porch.now(handed_in[0]).state == "accepted"


@pytest.mark.timeout(300)
def test_a_runner_that_is_killed_again_and_again_takes_each_upload_in_once(porch: Porch):
    """Half of the bots are good; each of two teams hands in versions of one bot."""
    uploads = []
    for number in range(12):
        person = (porch.ann, porch.bob)[number % 2]
        name = person.teams[0].name.lower()
        archive = bot(name, 10 + number) if number % 3 else b"rubbish %d" % number
        uploads.append(porch.add_upload(person, archive))
    random = Random(7)
    patience, left = 1.0, len(uploads)
    while waiting := porch.accounts.waiting():
        if len(waiting) == left:
            patience *= 1.3  # where Python takes long to start nothing would ever be done
        left = len(waiting)
        runner = subprocess.Popen([sys.executable, "-c", RUNNER, porch.url, porch.folder], cwd=ROOT)
        try:
            runner.wait(patience * (1 + 3 * random.random()))
        except subprocess.TimeoutExpired:
            runner.kill()
        runner.wait()
    for team in ("red", "blue"):
        admitted = [each for each in map(porch.now, uploads) if each.bot == team]
        assert [each.version for each in admitted] == [1, 2, 3, 4]
        assert porch.store.version(team).number == 4
    refused = [each for each in map(porch.now, uploads) if each.state == "rejected"]
    assert len(refused) == 4
    assert {hashlib.sha256(b"rubbish %d" % each).hexdigest() for each in (0, 3, 6, 9)} == {
        each.sha256 for each in refused
    }


def test_uploads_have_a_lane_that_no_tournament_can_have():
    with pytest.raises(ValueError, match="name"):
        stage.tournament(name=QUEUE)
