# tries: to keep more descriptors in flight with every answer, where its user's other sandboxes lack them
# protocol: stdin
# expect: answer 0, answer 0, answer 0
import os, socket, sys

held, flying = [], 0
for line in sys.stdin:
    try:
        for _ in range(10):
            here, away = socket.socketpair()
            held += [here, away]
            socket.send_fds(here, [b"x"], [0] * 100)
            flying += 100
    except OSError:
        pass
    print(flying, flush=True)
