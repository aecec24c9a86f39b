# tries: to leave a file, and /tmp closed to whoever would clean it up
# expect: answer fresh
import os

try:
    os.chmod("/tmp", 0o700)
    print("found" if os.listdir("/tmp") else "fresh")
    os.makedirs("/tmp/a/b/c/d")
    os.chmod("/tmp/a/b", 0)
    os.chmod("/tmp", 0)
except OSError as error:
    print("found", error)
