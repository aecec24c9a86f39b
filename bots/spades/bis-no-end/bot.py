"""BIS bids, without the end of the game; SRP plays."""

from lib import srp
from lib.bid_bis import Bis
from lib.pair import pair, serve

answer = pair(Bis(end_game=False), srp)

if __name__ == "__main__":
    serve(answer)
