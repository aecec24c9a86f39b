# tries: to read how much room the machine's disks have, which every file that others write changes
# expect: answer refused
import os

OWN = ("/tmp",)
done = []
paths = {
    "/",
    "/usr",
    "/bin",
    "/lib",
    "/etc",
    "/bot",
    "/arena",
    "/proc",
    "/dev",
    "/dev/null",
    ".",
    "/sys",
}
try:
    paths |= {line.split()[4] for line in open("/proc/self/mountinfo")}
except OSError:
    pass
for path in sorted(paths - set(OWN)):
    try:
        room = os.statvfs(path)
    except OSError:
        continue
    if 0 < room.f_bfree < room.f_blocks or 0 < room.f_ffree < room.f_files:
        done.append((path, room.f_bfree, room.f_ffree))
print(done or "refused")
