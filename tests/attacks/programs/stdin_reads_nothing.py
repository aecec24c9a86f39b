# tries: to block the referee in a full pipe
# protocol: stdin
# question: 200000
# expect: timeout, timeout
import time

time.sleep(1000)
