"""BIS bids, UCT(5) plays."""

from lib.bid_bis import Bis
from lib.pair import pair, serve
from lib.uct import Uct

SECONDS = 0.3

answer = pair(Bis(), Uct(5, seconds=SECONDS))

if __name__ == "__main__":
    serve(answer)
