# tries: to leave a daemon behind that thinks on; the answer itself counts
# expect: answer done
import os, time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(0.01)
    os._exit(0)
os.wait()
print("done")
