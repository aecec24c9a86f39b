# tries: to make the pipes that it shares with the pilot as large and as small as they get
# expect: answer SSSSSSSSSS
import fcntl, os

for fd in (1, 2):
    for size in (1 << 20, 1 << 31 - 1, 4096, 1, 0):
        try:
            fcntl.fcntl(fd, 1031, size)
        except (OSError, OverflowError):
            pass
for _ in range(10):
    os.write(2, b"x" * 10_000)
    os.write(1, b"S")
os.write(1, b"\n")
