# tries: to control a terminal through its last words
# expect: crash
# stderr: \x1b[2J\x07
import sys

sys.stderr.write("\x1b[2J\x07")
sys.exit(1)
