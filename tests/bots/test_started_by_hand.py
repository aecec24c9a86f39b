"""House bots as their authors start them: `python3 bot.py` in the bot's own folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.sandbox.bundles.bundle import Bundle, read_bundle
from card_arena.tables.registry import GAMES
from card_arena.tests.bots.house import BOTS
from card_arena.tournament.submissions import check_questions

WITH_A_LIBRARY = sorted(
    path.parent for path in BOTS.glob("*/*/bot.py") if "lib" in path.read_text()
)


@pytest.mark.parametrize(
    "folder", WITH_A_LIBRARY, ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_a_bot_with_a_library_answers_in_its_own_folder_as_it_stands(folder: Path) -> None:
    bundle = read_bundle(folder)
    game = GAMES[bundle.manifest.games[0]]
    asked = check_questions(game, game.options())
    words, line = list(asked.sample), f"# {asked.notices}\n{' '.join(asked.sample)}\n"
    for arguments, told in ((words, ""), ([], line)):
        ran = subprocess.run(
            [sys.executable, "-B", "bot.py", *arguments],
            cwd=folder,
            input=told,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert asked.judge(ran.stdout.removesuffix("\n")) is None


def test_a_link_to_the_library_changes_nothing_in_a_bundle(tmp_path: Path) -> None:
    """Nor does a copy of it, which is what copying a folder through its links makes."""
    linked = BOTS / "spades" / "io"
    assert (linked / "lib").is_symlink()
    (tmp_path / "io").mkdir()
    for place in (tmp_path / "lib", tmp_path / "io" / "lib"):
        place.mkdir()
        for path in (BOTS / "spades" / "lib").glob("*.py"):
            (place / path.name).write_bytes(path.read_bytes())
    for path in linked.iterdir():
        if path.is_file():
            (tmp_path / "io" / path.name).write_bytes(path.read_bytes())
    bundle = read_bundle(linked)
    assert read_bundle(tmp_path / "io") == bundle
    assert Bundle.from_archive(bundle.archive()) == bundle
