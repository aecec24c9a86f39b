# tries: to block the referee by filling the pipe of its questions itself
# protocol: stdin
# expect: answer S, timeout or crash
import os, time

os.read(0, 100)
try:
    own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    while True:
        os.write(own, b"x" * 4096)
except OSError:
    pass
os.write(1, b"S\n")
time.sleep(1000)
