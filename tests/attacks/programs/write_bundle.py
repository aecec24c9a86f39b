# tries: to change its own program, its sandbox and the kernel's settings
# expect: answer refused
import os

done = []
for path in (
    "/bot/attack",
    "/bot/new",
    "/new",
    "/usr/bin/new",
    "/etc/passwd",
    "/arena/sandbox/inside/pilot.py",
    "/dev/new",
    "/proc/self/oom_score_adj",
    "/proc/sys/kernel/hostname",
    "/proc/sys/net/ipv4/ip_forward",
):
    try:
        os.write(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), b"-1")
        done.append(path)
    except OSError:
        pass
for path in ("/bot", "/", "/dev/null", "/dev", "/arena"):
    for change in (lambda: os.chmod(path, 0o777), lambda: os.utime(path)):
        try:
            change()
            done.append(path)
        except OSError:
            pass
print("refused" if not done else done)
