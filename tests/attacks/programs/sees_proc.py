# tries: to read anything in /proc that is not on the list of what programs need
# expect: answer refused
import os

# what runtimes ask for; the tests' truth of what a sandbox shows
MACHINE = (
    *("cgroups", "cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version"),
    *("sys/kernel/cap_last_cap", "sys/kernel/osrelease", "sys/kernel/pid_max"),
    "sys/vm/overcommit_memory",
)

done = []
for folder, folders, files in os.walk("/proc"):
    if folder == "/proc":
        own = ("self", "thread-self", "pids")
        folders[:] = [name for name in folders if not name.isdigit() and name not in own]
    for name in files:
        path = os.path.join(folder, name)
        if os.path.relpath(path, "/proc") in MACHINE or os.path.islink(path):
            continue
        try:
            file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            if os.read(file, 1):
                done.append(path)
            os.close(file)
        except OSError:
            pass
print("refused" if not done else f"{len(done)}: {done[:10]}")
