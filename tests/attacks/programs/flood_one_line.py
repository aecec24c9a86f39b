# tries: to fill the referee's memory with one line that never ends
# expect: flood
import sys

while True:
    sys.stdout.write("x" * 65536)
