"""RB bids, WRP plays."""

from lib import bid_rb, wrp
from lib.pair import pair, serve

answer = pair(bid_rb, wrp)

if __name__ == "__main__":
    serve(answer)
