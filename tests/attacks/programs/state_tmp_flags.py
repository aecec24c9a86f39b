# tries: to leave a note in the flags, the project and the version of /tmp and of its own files
# expect: answer fresh
import fcntl, os, struct

GET_FLAGS, SET_FLAGS, GET_VERSION, SET_VERSION = 0x80086601, 0x40086602, 0x80087601, 0x40087602
GET_XATTR, SET_XATTR = 0x801C581F, 0x401C5820
NO_ACCESS_TIME, NO_DUMP = 0x80, 0x40

found = []
for path in ("/tmp", "/bot", "canary"):
    file = os.open(path, os.O_RDONLY)
    for name, question, size in (
        ("flags", GET_FLAGS, 8),
        ("version", GET_VERSION, 8),
        ("project", GET_XATTR, 28),
    ):
        try:
            answer = fcntl.ioctl(file, question, bytes(size))
            if name == "flags" and struct.unpack("q", answer)[0] & (NO_ACCESS_TIME | NO_DUMP):
                found.append((path, name))
            if name == "project" and struct.unpack("5I8x", answer)[3]:
                found.append((path, name))
        except OSError:
            pass
    for change, value in (
        (SET_FLAGS, struct.pack("q", NO_ACCESS_TIME | NO_DUMP)),
        (SET_VERSION, struct.pack("q", 77)),
        (SET_XATTR, struct.pack("5I8x", NO_DUMP, 0, 0, 77, 0)),
    ):
        try:
            fcntl.ioctl(file, change, value)
        except OSError:
            pass
print(found or "fresh")
