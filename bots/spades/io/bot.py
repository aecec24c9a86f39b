"""IO bids, WRP plays."""

from lib import bid_io, wrp
from lib.pair import pair, serve

answer = pair(bid_io, wrp)

if __name__ == "__main__":
    serve(answer)
