"""MS bids, WRP plays."""

from lib import bid_ms, wrp
from lib.pair import pair, serve

answer = pair(bid_ms, wrp)

if __name__ == "__main__":
    serve(answer)
