# tries: to fill the referee's memory while another bot is asked
# protocol: stdin
# pause: 0.3
# expect: answer S, malformed or flood
# freely: answer S, malformed or flood
import os

input()
os.write(1, b"S\n" + b"x" * 4096)
while True:
    os.write(1, b"x" * 65536)
