"""IO bids, SRP plays."""

from lib import bid_io, srp
from lib.pair import pair, serve

answer = pair(bid_io, srp)

if __name__ == "__main__":
    serve(answer)
