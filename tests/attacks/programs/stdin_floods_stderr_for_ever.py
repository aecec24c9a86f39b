# tries: to keep the referee busy past its deadline with standard error alone
# protocol: stdin
# expect: timeout, timeout
import os

while True:
    os.write(2, b"x" * 4096)
