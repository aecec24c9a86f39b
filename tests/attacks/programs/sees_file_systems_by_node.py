# tries: to read how full the machine's file systems are, by the devices that its own files are on
# expect: answer refused
import ctypes, os

USTAT = {"x86_64": 136}.get(os.uname().machine)
libc = ctypes.CDLL(None)
room = ctypes.create_string_buffer(128)
done = []
for path in ("/", "/usr", "/bot", "/tmp", "/dev/null", "/proc", "/etc/passwd", "/arena"):
    try:
        device = os.stat(path).st_dev
    except OSError:
        continue
    number = os.major(device) << 8 | os.minor(device) & 0xFF | (os.minor(device) & ~0xFF) << 12
    if USTAT and libc.syscall(USTAT, number, room) == 0:
        done.append(path)
print(done or "refused")
