# tries: to find itself with the pilot's priority, and to take more
# expect: answer refused
import os

done = []
if os.sched_getscheduler(0) & 0xFF != os.SCHED_OTHER:
    done.append("inherited")
for name, attempt in (
    ("fifo", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))),
    ("nice", lambda: os.nice(-1)),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("refused" if not done else done)
