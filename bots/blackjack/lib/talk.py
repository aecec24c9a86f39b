"""How a Python bot talks: the question is in its arguments, or comes a line at a time."""

import sys
from typing import NamedTuple


class Question(NamedTuple):
    """What a bot is told: its score and hand, all cards on the table, its stake and its chips."""

    score: int
    hand: str
    visible: str
    stake: int
    chips: int


def serve(answer):
    """Answer every question with what `answer(question)` returns."""

    def reply(score, hand, visible, stake, chips):
        print(answer(Question(int(score), hand, visible, int(stake), int(chips))), flush=True)

    if len(sys.argv) > 1:
        reply(*sys.argv[1:])
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                reply(*line.split())
