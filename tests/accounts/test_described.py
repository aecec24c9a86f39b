"""The API answers what its description says, whatever it is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.common.checkout import ROOT
from card_arena.tests.accounts.described import arena as an_arena
from card_arena.tests.accounts.described import ask_everything

EXAMPLES = 12

ODD = """
import sys
from pathlib import Path
from flask import Response, request
from card_arena.tests.accounts.described import arena, ask_everything
folder, status, body = sys.argv[1:]
with arena(Path(folder)) as there:
    odd = Response(body, int(status), mimetype="application/json")
    there.app.after_request(lambda said: odd if request.endpoint == "api.games" else said)
    ask_everything(there, 3)
"""


# a question that is asked without a server's loop leaves the file of its answer to the collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_answer_is_one_that_is_described(tmp_path: Path):
    with an_arena(tmp_path) as arena:
        asked = ask_everything(arena, EXAMPLES)
    assert len(asked) > 65
    # what takes no parameters can be asked in fewer ways
    assert sum(asked.values()) > len(asked) * EXAMPLES / 2


@pytest.mark.parametrize(
    ("status", "body", "finding"),
    [
        (200, '{"items": [{}]}', '"name" is a required property'),
        (418, "{}", "ndocumented status code"),
    ],
)
def test_an_answer_that_is_not_described_is_found(
    tmp_path: Path, status: int, body: str, finding: str
):
    done = subprocess.run(
        [sys.executable, "-c", ODD, tmp_path, str(status), body],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert finding in done.stderr
