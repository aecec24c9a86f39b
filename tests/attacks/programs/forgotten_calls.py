# tries: calls that earlier filters forgot: memory that nobody is charged for, descriptors in flight
# expect: answer refused
import ctypes, errno, mmap, os, platform, socket, struct

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
CALLS = {
    "mbind": 237 if X86 else 235,
    "seccomp": 317 if X86 else 277,
    "splice": 275 if X86 else 76,
    "setxattrat": 463,
    "one of the future": 600,
}
if X86:
    CALLS["ustat"] = 136
SO_ATTACH_FILTER, SO_ATTACH_BPF = 26, 50

done = []
for name, number in CALLS.items():
    if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (
        errno.ENOSYS,
        errno.EPERM,
    ):
        done.append(name)
near, far = socket.socketpair()
accept_all = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 4096))
program = struct.pack("HxxxxxxP", 1, ctypes.addressof(accept_all))
for option, value in ((SO_ATTACH_FILTER, program), (SO_ATTACH_BPF, struct.pack("i", 0))):
    try:
        near.setsockopt(socket.SOL_SOCKET, option, value)
        done.append(option)
    except OSError as error:
        if error.errno != errno.ENOPROTOOPT:
            done.append(error)
for attempt in (
    lambda: socket.send_fds(near, [b"x"], [0]),
    lambda: os.open("/tmp", os.O_RDWR | os.O_TMPFILE),
    lambda: mmap.mmap(-1, 4096),
):
    try:
        done.append(attempt())
    except OSError:
        pass
print(done or "refused")
