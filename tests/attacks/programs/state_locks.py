# tries: to be seen from another sandbox through locks and watches on files that both have
# expect: answer refused
import ctypes, fcntl, os

done = []
file = os.open("/usr/bin/env", os.O_RDONLY)
for name, attempt in (
    ("flock", lambda: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)),
    ("lockf", lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)),
    ("lease", lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)),
    (
        "notify",
        lambda: fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS),
    ),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
if ctypes.CDLL(None).inotify_init1(0) >= 0:
    done.append("inotify")
print(done or "refused")
