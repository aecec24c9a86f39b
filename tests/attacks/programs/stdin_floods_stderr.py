# tries: to block itself, and so the table, in a full standard error
# protocol: stdin
# expect: answer S, answer S
import sys

while True:
    input()
    sys.stderr.write("x" * 1000000)
    print("S", flush=True)
