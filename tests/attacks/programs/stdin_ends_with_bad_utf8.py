# tries: to break the referee's decoding
# protocol: stdin
# expect: answer \xff S, answer \xff S
import os

while True:
    input()
    os.write(1, b"\xff S\r\n")
