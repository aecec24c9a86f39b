# tries: to leave a note in the mode of /tmp
# expect: answer fresh
import os, stat

print("found" if stat.S_IMODE(os.stat("/tmp").st_mode) == 0o700 else "fresh")
os.chmod("/tmp", 0o700)
