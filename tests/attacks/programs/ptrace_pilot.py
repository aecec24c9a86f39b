# tries: to read or change the pilot through all accounts of the kernel
# expect: answer refused
import ctypes, os, platform

libc = ctypes.CDLL(None, use_errno=True)
done = []
if libc.ptrace(16, 1, 0, 0) == 0:
    done.append("ptrace")
for path in (
    "mem",
    "environ",
    "maps",
    "fd",
    "auxv",
    "root",
    "cwd",
    "exe",
    "stack",
    "syscall",
    "io",
):
    try:
        target = f"/proc/1/{path}"
        done += (
            [path] if (os.listdir(target) if path == "fd" else open(target, "rb").read(16)) else []
        )
    except OSError:
        pass
numbers = {"x86_64": (310, 311, 438), "aarch64": (270, 271, 438)}[platform.machine()]
buffer = ctypes.create_string_buffer(64)
vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
for number in numbers[:2]:
    if libc.syscall(number, 1, vector, 1, vector, 1, 0) >= 0:
        done.append(number)
handle = os.pidfd_open(1)
done += [fd for fd in range(200) if libc.syscall(numbers[2], handle, fd, 0) >= 0]
for path in ("/proc/1/mem", "/proc/1/oom_score_adj", "/proc/1/comm", "/proc/1/timerslack_ns"):
    try:
        os.write(os.open(path, os.O_WRONLY), b"1")
        done.append(path)
    except OSError:
        pass
print("refused" if not done else done)
