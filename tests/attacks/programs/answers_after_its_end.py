# tries: to answer by a helper when it has ended well itself
# expect: malformed
import os, time

if os.fork() == 0:
    os.setsid()
    time.sleep(5)
    os.write(1, b"S\n")
os._exit(0)
