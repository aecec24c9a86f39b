# tries: to leave a note in which parts of its own files are in memory, and to read it again
# expect: answer fresh
import ctypes, mmap, os

libc = ctypes.CDLL(None, use_errno=True)
NOT_NEEDED, COLD, PAGEOUT = os.POSIX_FADV_DONTNEED, 20, 21
MINCORE = {"x86_64": 27, "aarch64": 232}[os.uname().machine]

found = []
file = os.open("canary", os.O_RDONLY)
try:
    os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
except BlockingIOError:
    found.append("by a read that does not wait")
except OSError:
    pass
pages = mmap.mmap(file, 0, mmap.MAP_SHARED, mmap.PROT_READ)
place = ctypes.c_void_p()
for line in open("/proc/self/maps"):
    if line.rstrip().endswith("/canary"):
        place = ctypes.c_void_p(int(line.partition("-")[0], 16))
seen = ctypes.create_string_buffer(1)
if libc.syscall(MINCORE, place, ctypes.c_size_t(1), seen) == 0 and not seen.raw[0] & 1:
    found.append("by mincore")
print(found or "fresh")
for advice in (COLD, PAGEOUT):
    libc.madvise(place, ctypes.c_size_t(mmap.PAGESIZE), advice)
pages.close()
os.fsync(file)
os.posix_fadvise(file, 0, 0, NOT_NEEDED)
