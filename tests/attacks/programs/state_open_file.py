# tries: to leave a note in who owns the open file that is every question's standard input
# expect: answer fresh
import fcntl, os, struct

F_SETSIG, F_GETSIG, F_SETOWN_EX, F_GETOWN_EX = 10, 11, 15, 16
FIOASYNC, FIOSETOWN = 0x5452, 0x8901
OWNED_BY_NOBODY = struct.pack("ii", 1, 0)

found = []
try:
    if fcntl.fcntl(0, F_GETSIG):
        found.append("signal")
    if fcntl.fcntl(0, F_GETOWN_EX, struct.pack("ii", 0, 0)) != struct.pack("ii", 0, 0):
        found.append("owner")
except OSError:
    pass
print(found or "fresh")
me = struct.pack("i", os.getpid())
for leave in (
    lambda: fcntl.fcntl(0, F_SETSIG, 34),
    lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid()),
    lambda: fcntl.fcntl(0, F_SETOWN_EX, OWNED_BY_NOBODY),
    lambda: fcntl.ioctl(0, FIOSETOWN, me),
    lambda: fcntl.ioctl(0, FIOASYNC, struct.pack("i", 1)),
):
    try:
        leave()
    except OSError:
        pass
