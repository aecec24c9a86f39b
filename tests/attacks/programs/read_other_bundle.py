# tries: to read another bot's bundle, wherever something like one could be
# expect: answer refused
import os
import sys

SYSTEM = {"bin", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "usr"}

found = []
for top in ("/", "/bot/..", "/proc/1/root", "/proc/1/cwd", "/proc/self/root", *sys.argv[1:]):
    for folder, folders, files in os.walk(top):
        if folder == top and not SYSTEM.isdisjoint(folders):
            folders[:] = set(folders) - SYSTEM
        found += [os.path.join(folder, name) for name in files if name == "marked.txt"]
print("refused" if not found else f"found {found[0]}")
