"""BIS bids; SRP plays."""

from lib import srp
from lib.bid_bis import Bis
from lib.pair import pair, serve

answer = pair(Bis(), srp)

if __name__ == "__main__":
    serve(answer)
