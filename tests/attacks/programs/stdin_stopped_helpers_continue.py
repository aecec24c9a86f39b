# tries: to think between its turns in helpers that were stopped before it was, and that wake in turn
# protocol: stdin
# expect: answer S or timeout, answer S or timeout
# cpu: 0.1
# pause: 0.4
# seconds: 20
import os, select, signal, sys, time

MAIN = os.getpid()
helpers = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        while os.getppid() == MAIN:
            os.kill(os.getpid(), signal.SIGSTOP)
            for other in (*helpers, MAIN):
                os.kill(other, signal.SIGCONT)
        os._exit(0)
    helpers.append(child)
for child in helpers:
    os.kill(child, signal.SIGCONT)
thought = 0.0
while True:
    sys.stdin.readline()
    for child in helpers:
        os.kill(child, signal.SIGCONT)
    print("S" if thought < 0.25 else f"thought for {thought} s", flush=True)
    begun = time.process_time()
    while not select.select([0], [], [], 0)[0]:
        thought = time.process_time() - begun
