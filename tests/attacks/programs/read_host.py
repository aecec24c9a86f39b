# tries: to read the host's files, names, processes and environment
# expect: answer refused
import os, socket

# an image has folders of its own under these names
IMAGES_OWN = {
    "/etc/hostname",
    "/home",
    "/var/log",
    "/var/tmp",
    "/var/lib/dpkg",
    "/run",
    "/mnt",
    "/srv",
    "/boot",
}
own = IMAGES_OWN if os.path.exists("/.dockerenv") else set()
leaks = [
    path
    for path in (
        "/etc/shadow",
        "/root",
        "/home",
        "/var/log",
        "/var/tmp",
        "/var/lib/dpkg",
        "/sys/kernel",
        "/run",
        "/mnt",
        "/srv",
        "/etc/ssh",
        "/etc/hostname",
        "/boot",
        "/dev/vda",
        "/dev/mem",
        "/dev/kmsg",
        "/dev/shm",
        "/proc/1/environ",
        "/proc/kcore",
    )
    if os.access(path, os.R_OK) and path not in own
]
leaks += [
    name
    for name in os.environ
    if name
    not in (
        "PATH",
        "HOSTNAME",
        "HOME",
        "LANG",
        "PYTHONHASHSEED",
        "PWD",
        "LC_CTYPE",
        "SHLVL",
        "OLDPWD",
        "_",
    )
]
processes = max(("/proc/pids", "/proc"), key=os.path.exists)
leaks += [n for n in os.listdir(processes) if n.isdigit() and int(n) not in (1, os.getpid())]
if socket.gethostname() != "sandbox":
    leaks.append(socket.gethostname())
for path in ("/proc/interrupts", "/proc/diskstats", "/proc/locks", "/proc/keys", "/proc/vmstat"):
    try:
        leaks += [path] if open(path).read() else []
    except OSError:
        pass
print("refused" if not leaks else leaks)
