# tries: to look alive by a byte at a time
# expect: timeout
import sys, time

while True:
    sys.stdout.write("4")
    sys.stdout.flush()
    time.sleep(0.05)
