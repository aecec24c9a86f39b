# tries: to end in a way that takes long to tell, with a megabyte of last words
# expect: crash
# detail: exited with code 1
import sys

sys.stderr.write("y" * 1_000_000)
raise SystemExit("z" * 1_000_000)
