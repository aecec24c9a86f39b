# tries: to find open what an earlier question left open, and where it had got to
# expect: answer fresh
import os

found = []
for name in sorted(os.listdir("/proc/self/fd"), key=int):
    fd = int(name)
    try:
        target = os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        continue
    if fd > 2 and not target.startswith(("/proc/", "/bot/")) and "state_desc" not in target:
        found.append((fd, target))
    if fd == 0:
        place = [line for line in open("/proc/self/fdinfo/0") if line.startswith("pos:")]
        if place and int(place[0].split()[1]):
            found.append(place)
print(found or "fresh")
os.open("/dev/null", os.O_RDONLY)
try:
    os.lseek(0, 777, os.SEEK_SET)
except OSError:
    pass
