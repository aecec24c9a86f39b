# tries: to have the referee's pipe keep every piece apart, and lose what is longer than a read
# expect: answer SKQ
import fcntl, os

for path in ("/proc/self/fd/1", "/proc/self/fd/2"):
    for mode in (os.O_WRONLY, os.O_RDWR):
        try:
            os.dup2(os.open(path, mode | os.O_DIRECT), int(path[-1]))
        except OSError:
            pass
try:
    fcntl.fcntl(1, fcntl.F_SETFL, os.O_DIRECT)
except OSError:
    pass
for piece in (b"S", b"K", b"Q\n", *[b"x\n"] * 50):
    os.write(1, piece)
    os.write(2, piece)
