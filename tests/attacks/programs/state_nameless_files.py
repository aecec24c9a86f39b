# tries: to count its questions in the numbers of files in /tmp that never had a name
# expect: answer fresh
import os


def number():
    file = os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
    try:
        return os.fstat(file).st_ino
    finally:
        os.close(file)


try:
    first = number()
    print("fresh" if first < 50 else first)
    for _ in range(100):
        number()
except OSError:
    print("fresh")
