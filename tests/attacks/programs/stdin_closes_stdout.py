# tries: to live on without an output
# protocol: stdin
# expect: timeout, timeout
import os, time

os.close(1)
time.sleep(1000)
