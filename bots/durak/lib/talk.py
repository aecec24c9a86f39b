"""How a Python bot talks: the question is in its arguments, or comes a line at a time."""

import sys


def serve(answer):
    """Answer every question, a list of words, with the line that `answer(words)` returns."""
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)
