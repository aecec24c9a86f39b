# tries: to use what only the pilot may: setting the counter of process numbers
# expect: answer refused
import os

done = []
for path in (
    "/proc/sys/kernel/ns_last_pid",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/cad_pid",
):
    try:
        os.write(os.open(path, os.O_WRONLY), b"1000")
        done.append(path)
    except OSError:
        pass
caps = [
    line.split()[1]
    for line in open("/proc/self/status")
    if line.startswith(("CapPrm", "CapEff", "CapAmb"))
]
print("refused" if not done and not any(int(cap, 16) for cap in caps) else (done, caps))
