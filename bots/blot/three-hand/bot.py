"""Minimax on open hands, 12 cards ahead; see its README."""

from lib.open_hands import looking_ahead
from lib.talk import serve

answer = looking_ahead(12)

if __name__ == "__main__":
    serve(answer)
