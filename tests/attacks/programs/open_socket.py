# tries: to reach the network, and kinds of sockets that no namespace covers
# expect: answer refused
import socket

done = []
for family, kind, to in (
    (socket.AF_INET, socket.SOCK_STREAM, ("1.1.1.1", 53)),
    (socket.AF_INET, socket.SOCK_DGRAM, ("8.8.8.8", 53)),
    (socket.AF_INET6, socket.SOCK_STREAM, ("2606:4700::1", 53)),
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 22)),
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 8000)),
):
    try:
        with socket.socket(family, kind) as s:
            s.settimeout(0.2)
            s.connect(to)
            s.send(b"x")
            done.append(to)
    except OSError:
        pass
for family in (40, 38, 17, 16, 29, 31, 44):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        done.append(family)
    except OSError:
        pass
print("refused" if not done else done)
