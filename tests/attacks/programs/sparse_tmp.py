# tries: a file that is larger than the disk
# expect: answer refused
import os

try:
    os.truncate(os.open("/tmp/big", os.O_CREAT | os.O_RDWR), 1 << 40)
    print("made")
except OSError:
    print("refused")
