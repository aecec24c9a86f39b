# tries: to leave a note in the times of /tmp, with no file left there
# expect: answer fresh
import os

before = os.stat("/tmp")
print("found" if before.st_mtime == 7 else "fresh")
try:
    os.utime("/tmp", (7, 7))
except OSError:
    pass
