# tries: to leave a note in all that a process hands on to those it starts
# expect: answer fresh
import ctypes, os, resource, signal

libc = ctypes.CDLL(None)
PR_GET_TIMERSLACK, PR_SET_TIMERSLACK, PR_GET_THP_DISABLE, PR_SET_THP_DISABLE = 30, 29, 42, 41
PR_GET_CHILD_SUBREAPER, PR_SET_CHILD_SUBREAPER = 37, 36
subreaper = ctypes.c_int()
libc.prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(subreaper), 0, 0, 0)
mask = os.umask(0o077)
found = {
    "nice": os.getpriority(os.PRIO_PROCESS, 0),
    "umask": mask not in (0o022, 0o002, 0),
    "slack": libc.prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == 77_777,
    "huge pages": max(0, libc.prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0)),
    "subreaper": subreaper.value,
    "personality": max(0, libc.personality(0xFFFFFFFF)),
    "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "ignored": signal.getsignal(signal.SIGUSR1) != signal.SIG_DFL,
    "waiting": len(signal.sigpending()),
    "alarm": signal.getitimer(signal.ITIMER_REAL)[0],
    "folder": os.getcwd() == "/tmp",
    "stack": resource.getrlimit(resource.RLIMIT_STACK)[0] == 777_216,
    "environment": "NOTE" in os.environ,
}
print({name: value for name, value in found.items() if value} or "fresh", flush=True)
os.environ["NOTE"] = "note"
_, most = resource.getrlimit(resource.RLIMIT_STACK)
for leave in (
    lambda: os.nice(5),
    lambda: libc.prctl(PR_SET_TIMERSLACK, 77_777, 0, 0, 0),
    lambda: libc.prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0),
    lambda: libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0),
    lambda: libc.personality(0x0040000),
    lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN),
    lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2]),
    lambda: os.kill(os.getpid(), signal.SIGUSR2),
    lambda: os.chdir("/tmp"),
    lambda: resource.setrlimit(resource.RLIMIT_STACK, (777_216, most)),
    lambda: signal.setitimer(signal.ITIMER_REAL, 100),
):
    try:
        leave()
    except OSError:
        pass
