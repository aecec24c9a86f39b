# tries: to answer on its output reopened by name, for reading and writing, with its own end closed
# expect: answer S
import os

for mode in (os.O_RDWR, os.O_WRONLY | os.O_APPEND | os.O_TRUNC, os.O_RDONLY | os.O_NONBLOCK):
    try:
        fd = os.open("/proc/self/fd/1", mode)
    except OSError:
        continue
    os.dup2(fd, 50)
    if mode == os.O_RDWR:
        os.dup2(fd, 51)
os.close(1)
os.write(51, b"S\n")
