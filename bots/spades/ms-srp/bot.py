"""MS bids, SRP plays."""

from lib import bid_ms, srp
from lib.pair import pair, serve

answer = pair(bid_ms, srp)

if __name__ == "__main__":
    serve(answer)
