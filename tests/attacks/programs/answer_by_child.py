# tries: to answer, with the main process idle for ever
# expect: timeout
import os, signal

if os.fork() == 0:
    print("done", flush=True)
    os._exit(0)
signal.pause()
