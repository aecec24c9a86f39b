# tries: to break the referee's pipe by hanging up on its questions
# protocol: stdin
# expect: answer S, timeout
import os, time

os.read(0, 100)
os.close(0)
os.write(1, b"S\n")
time.sleep(1000)
