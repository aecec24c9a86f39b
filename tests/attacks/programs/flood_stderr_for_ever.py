# tries: to keep the pilot busy past its deadline with standard error alone
# expect: timeout
import os

while True:
    os.write(2, b"x" * 4096)
