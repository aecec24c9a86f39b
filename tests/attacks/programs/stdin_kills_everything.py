# tries: to kill the pilot while it lives for a game
# protocol: stdin
# expect: answer S, answer S
import os, signal

while True:
    input()
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGSEGV):
        try:
            os.kill(1, number)
        except OSError:
            pass
    print("S", flush=True)
