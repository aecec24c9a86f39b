# tries: to look ended by closing its output, and to go on
# expect: timeout
import os, time

os.close(1)
os.close(2)
time.sleep(1000)
