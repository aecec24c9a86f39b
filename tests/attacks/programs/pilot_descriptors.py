# tries: to reach the pilot's descriptors, by number, by name and as if they were its own
# expect: answer refused
import os, socket, stat

done = []
for fd in range(3, 1024):
    try:
        kind = os.fstat(fd).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(kind) or stat.S_ISFIFO(kind):
        done.append(fd)
        if stat.S_ISSOCK(kind):
            try:
                socket.socket(fileno=os.dup(fd)).recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
            except OSError:
                pass
for folder in ("/proc/1", "/proc/1/task/1", f"/proc/{os.getppid()}"):
    for fd in range(256):
        for name in ("fd", "fdinfo", "map_files"):
            try:
                os.stat(f"{folder}/{name}/{fd}")
                done.append(f"{folder}/{name}/{fd}")
            except OSError:
                pass
print(done or "refused")
