# tries: to stretch its time by a byte at a time
# protocol: stdin
# expect: timeout, timeout
import os, time

input()
while True:
    os.write(1, b"S")
    time.sleep(0.05)
