# tries: to put questions into the pipe of its questions, ahead of the referee's
# protocol: stdin
# expect: answer S, answer S
import os, sys

forged = 0
while True:
    line = os.read(0, 6)
    if line.startswith(b"f"):
        forged -= 1
        continue
    try:
        own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
        os.write(own, b"forge\n")
        os.close(own)
        forged += 1
    except OSError:
        pass
    os.write(1, b"S\n")
