# tries: to delay the end by a grandchild that keeps standard output open
# expect: answer done
import os, time

print("done", flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()
