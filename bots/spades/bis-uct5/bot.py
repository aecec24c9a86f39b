"""BIS bids, UCT(5) plays."""

from lib.bid_bis import Bis
from lib.pair import pair, serve
from lib.uct import Uct

ITERATIONS = 1000

answer = pair(Bis(), Uct(5, iterations=ITERATIONS))

if __name__ == "__main__":
    serve(answer)
