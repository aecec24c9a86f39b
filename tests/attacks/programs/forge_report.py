# tries: to report its own verdict on any descriptor it can write to
# expect: answer done
import os

for fd in [*range(3, 1024), *range(3, 1024)]:
    try:
        os.write(fd, b"\0\0\1\0\0\0\0" * 12 + b"B 1000")
    except OSError:
        pass
print(
    "done", "descriptors" if any(int(fd) > 3 for fd in os.listdir("/proc/self/fd")) else "", sep=""
)
