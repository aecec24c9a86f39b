# tries: to stumble over being continued, or to have that counted as an answer
# protocol: stdin
# expect: answer S, answer S, answer S
import os, signal

signal.signal(signal.SIGCONT, lambda *_: os.write(2, b"continued\n"))
signal.signal(signal.SIGTSTP, signal.SIG_IGN)
while True:
    input()
    os.write(1, b"S\n")
