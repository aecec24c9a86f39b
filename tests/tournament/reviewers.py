"""A bot that reviews."""

from __future__ import annotations

from pathlib import Path

JUDGE = """
import sys

for line in sys.stdin:
    if line.startswith("#"):
        continue
    words = line.split()
    if words[0] != "evaluate":
        print(words[2].split(",")[0], flush=True)
        continue
    number, legal = int(words[1]), words[4].split(",")
    {scores}
"""


WORTH = """if ".." in words[4]:
        legal = [str(bid) for bid in range(14)]
    print(*(f"{card}={place + number / 100}" for place, card in enumerate(legal)), flush=True)"""


def bot(folder: Path, scores: str, more: str = "evaluate: true\n") -> Path:
    path = folder / "judge"
    path.mkdir()
    head = "name: judge\ngames: [spades]\nprotocol: stdin\nlanguage: python\n"
    (path / "bot.yaml").write_text(head + more)
    (path / "bot.py").write_text(JUDGE.format(scores=scores))
    return path
