# tries: to leave a file for its next process
# expect: answer fresh
import os

print("found" if os.path.exists("/tmp/note") else "fresh")
open("/tmp/note", "w").write("note")
