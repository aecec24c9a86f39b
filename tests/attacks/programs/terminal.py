# tries: to type on the referee's terminal
# expect: answer refused
import fcntl, os

done = []
for fd in (0, 1, 2):
    try:
        fcntl.ioctl(fd, 0x5412, b"x")
        done.append(fd)
    except OSError:
        pass
try:
    os.open("/dev/tty", os.O_RDWR)
    done.append("tty")
except OSError:
    pass
print("refused" if not done else done)
