# tries: to leave a note in the marks of its own file's pages, which its maps show
# expect: answer refused
# needs: fixed files
import mmap, os

file = os.open("canary", os.O_RDONLY)


def marked():
    pages = mmap.mmap(file, 0, mmap.MAP_SHARED, mmap.PROT_READ)
    pages[0]
    line = next(line for line in open("/proc/self/numa_maps") if "canary" in line)
    pages.close()
    return "active=0" not in line


before = marked()
for _ in range(5):
    os.pread(file, 4096, 0)
print("refused" if marked() == before else "marked")
