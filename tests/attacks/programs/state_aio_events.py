# tries: to take all of the machine's events for asynchronous reading, which programs share
# expect: answer refused
import ctypes, errno, os

libc = ctypes.CDLL(None, use_errno=True)
SETUP = {"x86_64": 206, "aarch64": 0}[os.uname().machine]
context = ctypes.c_ulong()
taken = libc.syscall(SETUP, 60000, ctypes.byref(context))
print("refused" if taken < 0 and ctypes.get_errno() == errno.ENOSYS else taken)
