# tries: to leave a note in when its own files and folders were read last
# expect: answer fresh
import os

found = []
for path in ("canary", "turn", "/bot", ".", "/usr", "/usr/bin/env", "/"):
    before = os.stat(path)
    if os.path.isdir(path):
        os.listdir(path)
    else:
        open(path, "rb").read()
    if os.stat(path).st_atime_ns != before.st_atime_ns:
        found.append(path)
print(found or "fresh")
