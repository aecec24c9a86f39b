# tries: to have all its answers given by a child in a session of its own; nobody forbids it
# protocol: stdin
# expect: answer S, answer S
import os, time

if os.fork() == 0:
    os.setsid()
    while True:
        input()
        print("S", flush=True)
time.sleep(1000)
