"""BIS bids; WRP plays."""

from lib import wrp
from lib.bid_bis import Bis
from lib.pair import pair, serve

answer = pair(Bis(), wrp)

if __name__ == "__main__":
    serve(answer)
