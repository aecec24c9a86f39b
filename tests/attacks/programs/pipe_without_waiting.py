# tries: to change how the referee's ends of its pipes behave, by the flags of its own
# expect: answer S
import fcntl, os

for fd in (0, 1, 2):
    for flags in (os.O_NONBLOCK, os.O_DIRECT, os.O_ASYNC, os.O_NOATIME, os.O_APPEND, 0):
        try:
            fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | flags)
        except OSError:
            pass
os.write(1, b"S\n")
