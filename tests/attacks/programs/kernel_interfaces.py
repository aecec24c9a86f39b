# tries: to write to anything in /proc, /sys and /dev, or to read the kernel's own log and memory
# expect: answer refused
import os

# the last may be opened by anybody; what is written there is refused
HARMLESS = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx")}
HARMLESS.add("/proc/sys/kernel/ns_last_pid")
SECRETS = (
    "/proc/kmsg",
    "/proc/kcore",
    "/proc/kallsyms",
    "/proc/timer_list",
    "/proc/slabinfo",
    "/dev/kmsg",
    "/dev/mem",
    "/dev/port",
    "/sys/kernel/debug",
    "/sys/kernel/tracing",
    "/sys/firmware/efi",
    "/proc/acpi/wakeup",
    "/proc/sysrq-trigger",
    "/proc/scsi/scsi",
)

done = []
for path in SECRETS:
    try:
        if os.path.isdir(path) and os.listdir(path):
            done.append(path)
        elif not os.path.isdir(path):
            with open(path, "rb") as file:
                os.set_blocking(file.fileno(), False)
                text = file.read(100) or b""
                if any(word.strip(b"0") for word in text.split()[:1]):
                    done.append(path)
    except OSError:
        pass
for top in ("/proc", "/sys", "/dev"):
    for folder, folders, files in os.walk(top):
        if folder == "/proc":
            own = ("self", "thread-self", "pids")
            folders[:] = [name for name in folders if not name.isdigit() and name not in own]
        for name in files:
            path = os.path.join(folder, name)
            if path in HARMLESS or os.path.islink(path) or path.startswith("/dev/pts/"):
                continue
            if os.stat(path).st_rdev == os.makedev(1, 3):  # covered by /dev/null
                continue
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                done.append(path)
            except OSError:
                pass
print("refused" if not done else done[:20])
