"""How an upload comes in is known while it does: its log, the steps, and how long it takes."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from card_arena.sandbox.bundles import archives
from card_arena.sandbox.check import CheckStep
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tournament.intake import (
    LONGEST_LOG,
    LONGEST_OUTPUT,
    Intake,
    Progress,
    read_progress,
)
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run
from card_arena.tournament.play.steps import finish

SLOW = "echo the compiler starts; sleep 8; echo it has ended"


def slow_bot() -> bytes:
    about = (
        "name: slow\ngames: [blackjack]\nprotocol: argv\n"
        f"build: [[sh, -c, '{SLOW}']]\nrun: [./bot.sh]\nabout: {uuid4()}\n"  # never built before
    )
    source = stage.SHELL_ARGV.format(limit=15)
    return archives.pack([("bot.sh", source.encode()), ("bot.yaml", about.encode())])


def test_a_log_is_seen_while_the_build_goes_on(porch: Porch, monkeypatch: pytest.MonkeyPatch):
    need("bwrap")
    upload = porch.add_upload(porch.ann, slow_bot())
    intake = Intake(porch.store, porch.accounts, porch.spool, porch.said.append, "bubblewrap")
    seen = []
    pass_on = intake.pass_on

    def watched() -> None:
        pass_on()
        now = porch.now(upload)
        if now.state == "building" and now.log:
            seen.append(now.log)

    monkeypatch.setattr(intake, "pass_on", watched)
    monkeypatch.setattr("card_arena.tournament.play.runner.GLANCE", timedelta(seconds=0.1))
    monkeypatch.setattr("card_arena.tournament.intake.LOOK_EVERY", 0.0)
    with WorkerPool() as pool:
        run(porch.store, [], stage.Notes(), wait=False, pool=pool, intake=intake)
    assert "the compiler starts\n" in seen
    found = porch.now(upload)
    assert (found.state, found.log) == ("accepted", "the compiler starts\nit has ended\n")
    assert found.began is not None


def test_each_step_of_the_examination_is_kept(porch: Porch):
    good = porch.add_upload(porch.ann, bot("davey"))
    bad = porch.add_upload(porch.bob, bot("bad", source="#!/bin/sh\necho my mistake >&2\n"))
    finish(porch.intake().take_all(stage.Here()))
    steps = porch.now(good).steps
    assert [step.number for step in steps] == [*range(1, 8)]
    assert all(step.passed and step.game == "blackjack" and not step.output for step in steps)
    assert porch.now(good).failed is None
    failed = porch.now(bad).failed
    assert failed is not None
    assert failed.title == "starts"
    assert "my mistake" in failed.output
    assert [*porch.folder.iterdir()] == [], "what was said on the way is cleared away"


def test_what_is_said_on_the_way_is_whole_and_bounded(tmp_path: Path):
    path = tmp_path / "progress"
    assert read_progress(path) is None
    progress = Progress(path)
    progress.hear("x" * 3 * LONGEST_LOG + "end")
    progress.watch("snap", CheckStep(3, "starts", False, "it ends", "y" * 3 * LONGEST_OUTPUT))
    progress.watch("snap", CheckStep(4, "answers", False, "not reached", reached=False))
    found = read_progress(path)
    assert found is not None
    log, (step,) = found
    assert log.endswith("end")
    assert len(log) == LONGEST_LOG
    assert len(step.output) == LONGEST_OUTPUT
    assert path.stat().st_mode & 0o077 == 0


def test_a_worker_elsewhere_has_no_file_and_says_it_at_the_end(tmp_path: Path):
    progress = Progress(tmp_path / "not here" / "progress")
    progress.hear("log")
    progress.watch("snap", CheckStep(1, "reads bot.yaml", True, "fine"))
    assert [step.title for step in progress.steps] == ["reads bot.yaml"]


def test_how_long_it_takes_follows_from_the_last_ones(porch: Porch):
    first = porch.add_upload(porch.ann, bot("davey"))
    assert porch.accounts.time_left(first) is None, "nothing has been measured yet"
    begun = time.monotonic()
    porch.accounts.build_began(first.id)
    time.sleep(0.5)
    porch.accounts.reject_upload(first.id, "no")
    took = time.monotonic() - begun
    assert porch.accounts.time_left(porch.now(first)) == timedelta()
    second, third, fourth = (
        porch.add_upload(who, bot("davey", limit))
        for who, limit in ((porch.ann, 12), (porch.bob, 13), (porch.ann, 14))
    )
    waits = [porch.accounts.time_left(each) for each in (second, third, fourth)]
    assert all(each is not None for each in waits)
    once, twice, thrice = (each.total_seconds() for each in waits if each)
    assert 0.4 < once <= took
    assert (round(twice / once), round(thrice / once)) == (2, 3)
    porch.accounts.build_began(second.id)
    began = porch.accounts.time_left(porch.now(second))
    assert began is not None
    assert began < timedelta(seconds=once)
