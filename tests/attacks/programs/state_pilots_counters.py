# tries: to count its questions by what the sandbox's first process has done: it hands them on
# expect: answer fresh
import os, time

told = []
for name in (
    "stat",
    "statm",
    "status",
    "sched",
    "schedstat",
    "io",
    "oom_score",
    "wchan",
    "latency",
):
    for path in (f"/proc/1/{name}", f"/proc/1/task/1/{name}"):
        try:
            if open(path).read():
                told.append(path)
        except OSError:
            pass
for kind in range(8):
    try:
        told.append((kind, time.clock_gettime((~1 << 3) | kind)))
    except OSError:
        pass
print(told or "fresh")
