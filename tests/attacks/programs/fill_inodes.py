# tries: to make removing its scratch files last for ever
# expect: timeout
import os

n = 0
while True:
    try:
        os.mkdir(f"/tmp/{n}")
    except OSError:
        pass
    n += 1
