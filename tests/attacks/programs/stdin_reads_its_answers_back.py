# tries: to take an answer back that it has given, and to let the referee wait for it
# protocol: stdin
# expect: answer S or timeout, answer S or timeout
import os

while os.read(0, 100):
    os.write(1, b"S\n")
    try:
        own = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
        os.read(own, 100)
        os.close(own)
    except OSError:
        pass
