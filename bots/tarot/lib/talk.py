"""How a bot talks: the question is in its arguments, or comes a line at a time."""

import sys


def serve(answer, hear=None):
    """Answer every question with what `answer(words)` returns, until there are no more.

    `hear(words)` gets the notices, the words behind the `#`: `["clock", "1000", "3"]`.
    """
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
        return
    for line in sys.stdin:  # stdin: a line a question, until the game ends
        if not line.startswith("#"):
            print(answer(line.split()), flush=True)
        elif hear is not None:
            hear(line[1:].split())
