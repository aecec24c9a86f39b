# tries: to make sockets, and pairs, of every family and kind but the one that stays in the sandbox
# expect: answer refused
import errno
import socket

done = []
for family in range(64):
    for kind in (1, 2, 3, 4, 5, 6, 10):
        for protocol in (0, 1, 3, 6, 17, 58, 768):
            for make in (socket.socket, socket.socketpair):
                try:
                    if family != socket.AF_UNIX:
                        make(family, kind, protocol)
                        done.append((make.__name__, family, kind, protocol))
                except OSError as error:
                    # whatever else is said, was said by the family
                    if error.errno != errno.EAFNOSUPPORT:
                        done.append((make.__name__, family, kind, protocol, error.strerror))
print("refused" if not done else done[:20])
