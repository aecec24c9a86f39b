# tries: to make itself hard to find and to stop: lowest priority, one core, no name
# protocol: stdin
# expect: answer S, answer S
import ctypes, os

os.nice(19)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
try:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
except OSError:
    pass
ctypes.CDLL(None).prctl(15, b"", 0, 0, 0)
while True:
    input()
    print("S", flush=True)
