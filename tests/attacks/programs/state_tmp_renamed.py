# tries: to leave a note in /tmp and to set its times back, by renaming and by linking alone
# expect: answer fresh
import os

found = os.listdir("/tmp")
print(found or "fresh")
before = os.stat("/tmp")
for number in range(20):
    os.mkdir(f"/tmp/{number}")
    os.symlink("note", f"/tmp/{number}/link")
    os.rename(f"/tmp/{number}", "/tmp/name")
    os.unlink("/tmp/name/link")
    os.rmdir("/tmp/name")
try:
    os.utime("/tmp", ns=(before.st_atime_ns, before.st_mtime_ns))
except OSError:
    pass
os.mkdir("/tmp/kept")
