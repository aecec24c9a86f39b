# tries: to end in the middle of an answer
# protocol: stdin
# expect: crash, crash
# detail: exited with code 4
import os

input()
os.write(1, b"S")
os._exit(4)
