# tries: to have the referee's pipe keep pieces apart, so that half a line is read for a whole one
# protocol: stdin
# expect: answer SKQ, answer SKQ, answer SKQ
import fcntl, os

for fd, mode in ((1, os.O_WRONLY), (0, os.O_RDONLY)):
    try:
        os.dup2(os.open(f"/proc/self/fd/{fd}", mode | os.O_DIRECT), fd)
    except OSError:
        pass
    try:
        fcntl.fcntl(fd, fcntl.F_SETFL, os.O_DIRECT)
    except OSError:
        pass
while os.read(0, 4096):
    for piece in (b"S", b"", b"K", b"Q", b"\n"):
        os.write(1, piece)
