# tries: to put a helper under the kernel's strictest mode, which the pilot's filter does not expect
# expect: answer refused
import ctypes, os

PR_GET_SECCOMP, PR_SET_SECCOMP, STRICT = 21, 22, 1
libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if child == 0:
    done = libc.prctl(PR_SET_SECCOMP, STRICT, 0, 0, 0) == 0
    os.write(1, b"strict\n" if done else b"refused\n")
    os._exit(0)
os.waitpid(child, 0)
