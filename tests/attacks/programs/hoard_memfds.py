# tries: to keep memory in nameless files, where no process's size shows it
# expect: answer refused
import os

try:
    os.memfd_create("hoard")
    print("made")
except OSError:
    print("refused")
