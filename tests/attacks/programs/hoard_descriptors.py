# tries: to use up the system's open files and pipe memory
# expect: answer bounded
import os

ends = []
try:
    while True:
        ends += os.pipe()
except OSError:
    pass
print("bounded" if len(ends) < 300 else len(ends))
