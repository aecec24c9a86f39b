# tries: to make a socket of every family and kind but the one that stays in the box
# expect: answer refused
import socket

done = []
for family in range(64):
    for kind in (1, 2, 3, 4, 5, 6, 10):
        for protocol in (0, 1, 3, 6, 17, 58, 768):
            if family != socket.AF_UNIX:
                try:
                    socket.socket(family, kind, protocol)
                    done.append((family, kind, protocol))
                except OSError:
                    pass
print("refused" if not done else done[:20])
