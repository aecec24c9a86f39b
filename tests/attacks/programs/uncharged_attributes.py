# tries: to keep memory in attributes of files in /tmp, and in lists of who may read them
# expect: answer bounded
import os, struct

# version 2: the owner, one user by number, the group, the mask, others
READERS = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", kind, 6, number)
    for kind, number in (
        (1, -1 & 0xFFFFFFFF),
        (2, 5),
        (4, -1 & 0xFFFFFFFF),
        (16, -1 & 0xFFFFFFFF),
        (32, -1 & 0xFFFFFFFF),
    )
)
held = 0
try:
    for number in range(40):
        path = f"/tmp/{number}"
        open(path, "w").close()
        for name in ("user.note", "trusted.note", "security.note", "system.posix_acl_access"):
            try:
                for part in range(20):
                    value = READERS if "acl" in name else bytes(60_000)
                    os.setxattr(path, name if "acl" in name else f"{name}{part}", value)
                    held += len(value)
            except OSError:
                pass
except OSError:
    pass
print("bounded" if held <= 16 << 20 else f"{held >> 20} MiB")
