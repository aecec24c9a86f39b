# tries: to pass an open file over a socket of its own
# expect: answer refused
import os, socket

done = []
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    here, away = socket.socketpair(socket.AF_UNIX, kind)
    away.setblocking(False)
    try:
        socket.send_fds(here, [b"x"], [0])
        done.append(kind)
    except OSError:
        continue
    try:
        done += socket.recv_fds(away, 1, 1)[1]
    except OSError:
        pass
print(done or "refused")
