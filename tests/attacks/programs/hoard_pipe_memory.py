# tries: to keep memory in the kernel's pipes, the largest there are, all full
# expect: answer bounded
import fcntl, os

held = 0
try:
    while True:
        _, end = os.pipe()
        os.set_blocking(end, False)
        try:
            fcntl.fcntl(end, 1031, 1 << 20)
        except OSError:
            pass
        try:
            while True:
                held += os.write(end, b"x" * 65536)
        except BlockingIOError:
            pass
except OSError:
    pass
print("bounded" if held < 96 << 20 else held)
