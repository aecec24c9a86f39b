# tries: to leave a note in a kernel keyring
# expect: answer fresh
import ctypes, platform

libc = ctypes.CDLL(None)
number = {"x86_64": 248, "aarch64": 217}[platform.machine()]
kept = [
    ring
    for ring in (-1, -2, -3, -4, -5)
    if libc.syscall(number, b"user", b"note", b"x", 1, ring) >= 0
]
print(kept or "fresh")
