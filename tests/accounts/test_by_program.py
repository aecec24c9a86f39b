"""The lines on the page for handing in, which push a bot from anywhere."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from html import unescape
from pathlib import Path

import pytest
import yaml

from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.programs import token
from card_arena.tests.accounts.served import Served, served
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish

BOT = stage.Bot("my_bot", "argv", "shell", stage.SHELL_ARGV.format(limit=15))


def shown(site: Served, name: str) -> str:
    """A block of the page for handing in, as somebody copies it."""
    page = site.anns().get("/submit").text
    found = re.search(rf'<pre id="{name}"[^>]*><code>(.*?)</code>', page, re.DOTALL)
    assert found
    return unescape(found[1])


def pushed(site: Served, folder: Path, secret: str) -> subprocess.CompletedProcess[str]:
    """Run the lines while uploads are taken in."""
    over = threading.Event()

    def take_in() -> None:
        while not over.wait(0.2):
            finish(site.porch.intake().take_all(stage.Here()))

    runner = threading.Thread(target=take_in)
    runner.start()
    try:
        return subprocess.run(
            ["sh", "-c", shown(site, "push-sh").replace("sleep 5", "sleep 1")],
            cwd=folder,
            env={**os.environ, "ARENA_TOKEN": secret, "no_proxy": "*"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        over.set()
        runner.join()


@pytest.mark.parametrize("limit", [15, None])
def test_the_lines_push_a_bot_and_fail_unless_it_is_admitted(
    porch: Porch, tmp_path: Path, limit: int | None
):
    need("curl")
    source = BOT.source if limit else "#!/bin/sh\nexit 3\n"
    stage.Bot("my_bot", "argv", "shell", source).write(tmp_path)
    with served(porch) as site:
        done = pushed(site, tmp_path, token(porch, porch.bob))
    assert done.returncode == (0 if limit else 1), done.stderr
    assert ('"state": "accepted"' in done.stdout) == bool(limit)
    assert ('"state": "rejected"' in done.stdout) != bool(limit)


def test_the_lines_end_where_the_token_is_wrong(porch: Porch, tmp_path: Path):
    need("curl")
    BOT.write(tmp_path)
    with served(porch) as site:
        done = pushed(site, tmp_path, "wrong")
    assert done.returncode == 1
    assert "This token is wrong, expired or revoked" in done.stdout


def test_the_workflow_is_six_lines_that_run_them_with_a_secret(porch: Porch):
    with served(porch) as site:
        text = shown(site, "workflow")
    job = yaml.safe_load(text)["jobs"]["arena"]
    assert job["env"] == {"ARENA_TOKEN": "${{ secrets.ARENA_TOKEN }}"}
    assert job["steps"][-1] == {"run": "sh push.sh"}
    assert len(text.splitlines()) == 6
