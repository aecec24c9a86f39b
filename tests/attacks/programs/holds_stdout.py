# tries: to delay the end by a child that keeps standard output open
# expect: answer done
import os, time

print("done", flush=True)
if os.fork() == 0:
    time.sleep(1000)
