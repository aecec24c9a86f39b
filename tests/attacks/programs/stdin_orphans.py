# tries: to fill the process table with the dead, a few at every turn
# protocol: stdin
# expect: answer S, answer S, answer S, answer S
import os

while True:
    input()
    for _ in range(30):
        if os.fork() == 0:
            if os.fork() == 0:
                os._exit(0)
            os._exit(0)
        os.wait()
    print("S", flush=True)
