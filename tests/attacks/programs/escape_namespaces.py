# tries: to become root, make namespaces, mount and load code into the kernel
# expect: answer refused
import ctypes, os, platform

libc = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == "x86_64"
done = [
    flag
    for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000)
    if libc.unshare(flag) == 0
]
done += [
    name
    for name, number in (
        ("io_uring", 425),
        ("bpf", 321 if x86 else 280),
        ("userfault", 323 if x86 else 282),
        ("perf", 298 if x86 else 241),
        ("clone3", 435),
    )
    if libc.syscall(number, 0, 0, 0, 0, 0) >= 0
]
done += ["clone"] if libc.syscall(56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0) > 0 else []
done += ["mount"] if libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0 else []
for name, attempt in (
    ("setuid", lambda: os.setuid(0)),
    ("chroot", lambda: os.chroot("/tmp")),
    ("groups", lambda: os.setgroups([0])),
    ("mknod", lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0))),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("refused" if not done else done)
