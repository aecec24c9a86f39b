# tries: to answer with a line that never ends
# protocol: stdin
# expect: flood, flood
import os

input()
while True:
    os.write(1, b"x" * 65536)
