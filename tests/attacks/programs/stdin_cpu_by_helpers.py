# tries: to have its thinking done by helpers that it only waits for
# protocol: stdin
# expect: timeout, timeout
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 20
import os
import time

while True:
    input()
    for _ in range(4):
        if os.fork() == 0:
            while time.process_time() < 0.15:
                pass
            os._exit(0)
    for _ in range(4):
        os.wait()
    print("S", flush=True)
