# tries: to be ahead of the referee by another class of the scheduler, and to keep it
# protocol: stdin
# expect: answer refused, answer refused
import ctypes, os, struct, sys

libc = ctypes.CDLL(None)
SCHED_SETATTR, IOPRIO_SET = {"x86_64": (314, 251), "aarch64": (274, 30)}[os.uname().machine]
for line in sys.stdin:
    done = []
    for name, policy, priority in (
        ("fifo", 1, 1),
        ("round robin", 2, 1),
        ("fifo", 1 | 0x40000000, 99),
    ):
        try:
            os.sched_setscheduler(0, policy, os.sched_param(priority))
            done.append(name)
        except OSError:
            pass
    deadline = struct.pack("IIQiIQQQ", 48, 6, 0, 0, 0, 10_000_000, 20_000_000, 20_000_000)
    if libc.syscall(SCHED_SETATTR, 0, deadline, 0) == 0:
        done.append("deadline")
    if libc.syscall(IOPRIO_SET, 1, 0, 1 << 13) == 0:
        done.append("disk")
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
        done.append("nice")
    except OSError:
        pass
    print(done or "refused", flush=True)
