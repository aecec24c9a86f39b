"""The path of README.md for a newcomer, walked command by command."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess

import pytest

from card_arena.leaderboard.web.app import create_app
from card_arena.tests.cli.home import ROOT, Home
from card_arena.tests.needs import need

OPPONENTS = ("lim15", "lim17", "davey", "random")


def commands() -> list[list[str]]:
    """The shell lines under "Enter a bot", word by word."""
    section = (ROOT / "README.md").read_text().partition("## Enter a bot")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def test_the_readmes_path_ends_on_a_leaderboard_with_the_new_bot(home: Home) -> None:
    need("bwrap")
    need("gcc")
    demo = (ROOT / "tournaments/demo-blackjack.yaml").read_text()
    short = re.sub(r"legs: \d+", "legs: 1", demo)
    assert short != demo
    (home.tournaments / "demo-blackjack.yaml").write_text(short)
    said: dict[str, str] = {}
    for command, *words in commands():
        if command == "cp":
            shutil.copytree(ROOT / words[1], home.folder / words[2])
        elif command == "sed":
            subprocess.run([command, *words], cwd=home.folder, check=True)
        elif command == "arena" and words[0] != "serve":
            found = [path for word in words if "*" in word for path in ROOT.glob(word)]
            typed = [word for word in words if "*" not in word]
            typed += [str(path) for path in found if path.parent.name in OPPONENTS]
            if words[0] == "compare":
                typed[typed.index("--boards") + 1] = "2"
            said[words[0]] = home.done(*typed)
    assert said["submit"].startswith(
        "my_bot v1 accepted\nin demo-blackjack, with the next `arena run`"
    )
    client = create_app(f"sqlite:///{home.database}").test_client()
    page = client.get("/t/demo-blackjack").text
    for name in ("my_bot", *OPPONENTS):
        assert f'href="/bot/{name}"' in page


@pytest.mark.parametrize("word", ["check", "submit", "play", "run", "serve"])
def test_the_readme_walks_the_whole_way(word: str) -> None:
    assert any(command[:2] == ["arena", word] for command in commands())
