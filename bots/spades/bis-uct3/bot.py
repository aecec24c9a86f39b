"""BIS bids, UCT(3) plays."""

from lib.bid_bis import Bis
from lib.pair import pair, serve
from lib.uct import Uct

ITERATIONS = 1000

answer = pair(Bis(), Uct(3, iterations=ITERATIONS))

if __name__ == "__main__":
    serve(answer)
