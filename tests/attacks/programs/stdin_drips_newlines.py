# tries: to answer with more lines than anybody asked for, by the hundred
# protocol: stdin
# pause: 0.3
# expect: answer S, malformed or answer S
# freely: answer S, malformed
import os

input()
for _ in range(100):
    os.write(1, b"S\n")
os.read(0, 1)
