# tries: to fill the referee's memory through standard error, then answers
# expect: answer done
import sys

for _ in range(300):
    sys.stderr.write("x" * 65536)
print("done")
