# tries: to slow the pilot down or take its limits away
# expect: answer refused
import os, resource

done = []
for name, attempt in (
    ("prlimit", lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))),
    ("affinity", lambda: os.sched_setaffinity(1, {0})),
    ("nice", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19)),
    ("nice all", lambda: os.setpriority(os.PRIO_USER, 0, 19)),
    ("idle", lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("refused" if not done else done)
