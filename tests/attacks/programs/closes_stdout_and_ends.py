# tries: to end well with its output closed
# expect: malformed
import os

os.close(1)
os._exit(0)
