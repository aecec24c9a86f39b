# tries: to answer with more lines than anybody asked for, by the hundred
# protocol: stdin
# pause: 0.3
# expect: answer S, malformed
# freely: answer S, malformed
import os

input()
for _ in range(50):
    os.write(1, b"S\n" * 2)
os.read(0, 1)
