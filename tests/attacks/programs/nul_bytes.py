# tries: to end the referee's strings early; the rules refuse it
# escaped: answer \x00S\x00
import sys

sys.stdout.buffer.write(b"\0S\0\n")
