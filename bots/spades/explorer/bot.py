"""A BIS that tries nils of all values bids, SRP plays."""

from lib import srp
from lib.explorer import Explorer
from lib.pair import pair, serve

answer = pair(Explorer(), srp)

if __name__ == "__main__":
    serve(answer)
