"""A whole blackjack bot: draws below 17, stands from there on."""

import sys


def answer(score, hand, visible, stake, chips):
    """Choose H (hit), S (stand), D (double down) or "B 25" (bet 25 more).

    `hand` is your cards and `visible` all cards on the table, the dealer's two first, the
    hidden one as "#". Every word arrives as text, so numbers need int().
    """
    return "H" if int(score) < 17 else "S"


if len(sys.argv) > 1:  # argv: the question is in the arguments
    print(answer(*sys.argv[1:]))
else:  # stdin: a question a line, until the game ends
    for line in sys.stdin:
        if not line.startswith("#"):  # "# ..." is news and wants no answer
            print(answer(*line.split()), flush=True)  # send it now, don't keep it in a buffer
