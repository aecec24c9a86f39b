# tries: to count its questions by its process number, and to leave a note by forking
# expect: answer fresh
# needs: numbers
import os

for _ in range(10):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
print("fresh" if os.getpid() == 2 else os.getpid())
