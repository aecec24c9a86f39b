"""RB bids, UCT(3) plays."""

from lib import bid_rb
from lib.pair import pair, serve
from lib.uct import Uct

ITERATIONS = 1000

answer = pair(bid_rb, Uct(3, iterations=ITERATIONS))

if __name__ == "__main__":
    serve(answer)
