# tries: to break the referee's decoding
# expect: answer \xff\xfe\x80 21
import sys

sys.stdout.buffer.write(b"\xff\xfe\x80 21\n")
