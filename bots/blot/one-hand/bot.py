"""Minimax on open hands, 4 cards ahead; see its README."""

from lib.open_hands import looking_ahead
from lib.talk import serve

answer = looking_ahead(4)

if __name__ == "__main__":
    serve(answer)
