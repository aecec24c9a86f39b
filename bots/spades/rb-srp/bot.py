"""RB bids, SRP plays."""

from lib import bid_rb, srp
from lib.pair import pair, serve

answer = pair(bid_rb, srp)

if __name__ == "__main__":
    serve(answer)
