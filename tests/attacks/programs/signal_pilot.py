# tries: to signal the pilot by all the ways there are besides kill
# expect: answer done
import ctypes, fcntl, os, platform, signal, socket

libc = ctypes.CDLL(None, use_errno=True)
rt_sigqueue, rt_tgsigqueue, tgkill = {"x86_64": (129, 297, 234), "aarch64": (138, 240, 131)}[
    platform.machine()
]
handle = os.pidfd_open(1)
info = ctypes.create_string_buffer(128)
for number in range(1, 65):
    info[0:4] = number.to_bytes(4, "little")
    info[8:12] = (-1).to_bytes(4, "little", signed=True)
    libc.syscall(rt_sigqueue, 1, number, info)
    libc.syscall(rt_tgsigqueue, 1, 1, number, info)
    libc.syscall(tgkill, 1, 1, number)
    try:
        signal.pidfd_send_signal(handle, number)
    except OSError:
        pass
for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1):
    ours, theirs = socket.socketpair()
    try:
        fcntl.fcntl(ours, fcntl.F_SETOWN, 1)
        fcntl.fcntl(ours, 10, number)
        fcntl.fcntl(ours, fcntl.F_SETFL, fcntl.fcntl(ours, fcntl.F_GETFL) | os.O_ASYNC)
        theirs.send(b"x")
    except OSError:
        pass
print("done")
