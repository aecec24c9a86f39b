"""A season with attackers in it: it ends for the honest bots as one without them."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from card_arena.tests.attacks.places import OWN_IDS, OWN_PROC, ROOT
from card_arena.tests.needs import need

AS_ROOT, AS_NOBODY, WITH_IDS = "root", "nobody", "nobody with sub-ids"


def played(folder: Path, place: str, attackers: str) -> dict[str, dict[str, object]]:
    """Play a season in a process of its own; return what it printed."""
    for path in (folder, folder / "cache", folder / "bots", folder / "builds"):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o777)
    script = f'set -e\n{OWN_PROC}\n{OWN_IDS if place == WITH_IDS else ""}\nexec "$@"'
    who = "root" if place == AS_ROOT else "nobody"
    done = subprocess.run(
        [
            *("unshare", "--mount", "sh", "-c", script, folder),
            *(sys.executable, "-m", "card_arena.tests.attacks.season", folder, who, attackers),
        ],
        cwd=ROOT,
        env={**os.environ, "ARENA_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("place", [AS_ROOT, AS_NOBODY, WITH_IDS])
def test_five_attackers_change_nothing_between_the_honest_bots_of_a_season(place: str) -> None:
    need("bwrap")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        alone = played(folder / "alone", place, "alone")
        attacked = played(folder / "attacked", place, "attacked")
    assert attacked["voids"] == alone["voids"] == {}
    assert len(alone["honest"]) == 3
    assert "FaultEvent(" not in repr(alone["honest"])
    assert attacked["honest"] == alone["honest"]
