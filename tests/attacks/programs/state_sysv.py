# tries: to leave a note in SysV and POSIX shared memory, semaphores and queues
# expect: answer fresh
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
kept = [
    name
    for name, result in (
        ("shm", libc.shmget(0x1234, 4096, 0o1600)),
        ("sem", libc.semget(0x1234, 1, 0o1600)),
        ("msg", libc.msgget(0x1234, 0o1600)),
        ("mq", libc.mq_open(b"/note", os.O_CREAT | os.O_RDWR, 0o600, None)),
        ("posix", libc.shm_open(b"/note", os.O_CREAT | os.O_RDWR, 0o600)),
    )
    if result >= 0
]
print(kept or "fresh")
