# tries: to think between its turns, with helpers that continue everybody who is stopped
# protocol: stdin
# expect: answer S or timeout, answer S or timeout
# cpu: 0.1
# pause: 0.4
# seconds: 20
import os, select, signal, sys, time

MAIN = os.getpid()
for _ in range(3):
    if os.fork() == 0:
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        while os.getppid() == MAIN:
            os.kill(-1, signal.SIGCONT)
            os.kill(MAIN, signal.SIGCONT)
        os._exit(0)
thought = 0.0
while True:
    sys.stdin.readline()
    print("S" if thought < 0.25 else f"thought for {thought} s", flush=True)
    begun = time.process_time()
    while not select.select([0], [], [], 0)[0]:
        thought = time.process_time() - begun
