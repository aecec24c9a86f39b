# tries: to read, and to move, numbers that are one for the whole machine
# expect: answer refused
import fcntl, mmap, os, socket, struct

SO_COOKIE, ENTROPY = 57, 0x80045200


def meminfo():
    return open("/proc/meminfo").read()


done = []
before = meminfo()
held = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
held.write(bytes(8 << 20))
if meminfo() != before:
    done.append("memory")
for path in (
    "cgroups",
    "crypto",
    "modules",
    "sys/kernel/pty/nr",
    "sys/kernel/random/entropy_avail",
):
    try:
        if len(open(f"/proc/{path}").read().splitlines()) > 1:
            done.append(path)
    except OSError:
        pass
for folder in ("fs", "irq", "sys/fs"):
    try:
        done += os.listdir(f"/proc/{folder}")
    except OSError:
        pass
try:
    done.append(socket.socket(socket.AF_UNIX).getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8))
except OSError:
    pass
try:
    done.append(fcntl.ioctl(os.open("/dev/random", os.O_RDONLY), ENTROPY, bytes(4)))
except OSError:
    pass
print(done or "refused")
