# tries: to have its thinking done by helpers of whose end nobody is told
# protocol: stdin
# expect: timeout, timeout
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 10
import os
import signal
import time

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    input()
    for _ in range(30):
        if os.fork() == 0:
            while time.process_time() < 0.1:
                pass
            os._exit(0)
        time.sleep(0.15)
    print("S", flush=True)
