# tries: to leave a note by having looked into /tmp, which sets its time of access
# expect: answer fresh
import os

before = os.stat("/tmp")
print("found" if before.st_atime_ns > before.st_mtime_ns else "fresh")
os.listdir("/tmp")
