# tries: to leave a note in the attributes of /tmp and of its own files, where no time shows it
# expect: answer fresh
import os

found = []
for path in ("/tmp", "/bot", "canary", "."):
    try:
        found += [(path, name) for name in os.listxattr(path) if "selinux" not in name]
    except OSError:
        pass
print(found or "fresh")
for path in ("/tmp", "/bot", "canary", "."):
    for name in ("user.note", "trusted.note", "security.note", "system.posix_acl_default"):
        try:
            os.setxattr(path, name, b"note")
        except OSError:
            pass
