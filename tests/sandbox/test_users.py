"""A user of its own for each sandbox, on systems that grant less than they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from card_arena.common.checkout import ROOT
from card_arena.tests.cli.home import PATIENCE
from card_arena.tests.needs import need

ASK = """\
from pathlib import Path
from card_arena.sandbox.backends.users import NoOwnUser, subordinate_ids
try:
    subordinate_ids(Path("/"))
except NoOwnUser as error:
    print(error)
"""


def test_where_no_namespace_can_be_made_subordinate_ids_are_refused_and_not_waited_for(
    tmp_path: Path,
) -> None:
    need("bwrap")
    need("newuidmap")
    granted = tmp_path / "granted"
    granted.write_text("1000:300000:65536\n")
    told = subprocess.run(
        [
            *("bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--disable-userns"),
            *("--die-with-parent", "--ro-bind", "/", "/"),
            *("--ro-bind", granted, "/etc/subuid", "--ro-bind", granted, "/etc/subgid"),
            *("--chdir", ROOT, sys.executable, "-c", ASK),
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout
    assert "subordinate ids, but they can't be used here: unshare" in told
