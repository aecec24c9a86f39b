"""RB bids, UCT(3) plays."""

from lib import bid_rb
from lib.pair import pair, serve
from lib.uct import Uct

SECONDS = 0.3

answer = pair(bid_rb, Uct(3, seconds=SECONDS))

if __name__ == "__main__":
    serve(answer)
