# tries: to leave a note in which of its own files are on the disk already, and to read it again
# expect: answer refused
import fcntl, os, struct

FIEMAP, FLUSH_FIRST = 0xC020660B, 1
done = []
for path in ("canary", "/usr/bin/env"):
    for flags in (0, FLUSH_FIRST):
        question = bytearray(struct.pack("QQIIII", 0, 1 << 40, flags, 0, 0, 0))
        try:
            fcntl.ioctl(os.open(path, os.O_RDONLY), FIEMAP, question)
            done.append((path, flags))
        except OSError:
            pass
print(done or "refused")
