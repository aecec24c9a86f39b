"""The files of others that we serve."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from card_arena.leaderboard.web import app

FOLDER = Path(app.__file__).parent / "static" / "vendor"


def test_every_vendored_file_is_the_one_that_is_named_with_its_licence():
    listed = re.findall(
        r"^\| `(\S+)` .*`(\S+LICENSE.txt)`.* \| `([0-9a-f]{64})` \|$",
        (FOLDER / "VENDORED.md").read_text("utf-8"),
        re.MULTILINE,
    )
    for name, licence, digest in listed:
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name
        assert (FOLDER / licence).is_file()
    served = {path.name for path in FOLDER.iterdir() if path.suffix in (".js", ".css")}
    assert served == {name for name, _, _ in listed}
