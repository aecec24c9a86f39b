# tries: to leave /tmp without room by files that have no name, and to read how much there is
# expect: answer fresh
import os

try:
    room = os.statvfs("/tmp")
    used = (room.f_blocks - room.f_bfree, room.f_files - room.f_ffree)
    print("fresh" if used[0] <= 1 and used[1] <= 2 else used)
except OSError:
    print("fresh")
held = []
try:
    while len(held) < 200:
        held.append(os.open("/tmp", os.O_TMPFILE | os.O_RDWR))
        os.write(held[-1], bytes(65536))
except OSError:
    pass
