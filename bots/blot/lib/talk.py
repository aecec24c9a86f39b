"""How a bot talks: the question is in its arguments, or comes a line at a time."""

import sys


def serve(answer):
    """Answer every question with what `answer(words)` returns, by either protocol.

    `words` is a list of text: the words of one question.
    """
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):  # notices: the question tells it all again
                print(answer(line.split()), flush=True)
