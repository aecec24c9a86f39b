# tries: to write anywhere but in /tmp: the pilot's own program, the system's folders, its own files
# expect: answer refused
import os

tops = [f"/{name}" for name in os.listdir("/") if name not in ("tmp", "proc")]
folders = ["/", *tops]
for top in tops:
    try:
        folders += [os.path.join(top, name) for name in os.listdir(top)][:60]
    except OSError:
        pass
folders += [
    "/arena/sandbox",
    "/arena/sandbox/inside",
    "/usr/lib/python3",
    "/var/tmp",
    "/dev/shm",
    "/run/lock",
]
done = []
for folder in folders:
    if os.path.realpath(folder).startswith(("/tmp", "/proc")) or not os.path.isdir(folder):
        continue
    for name, change in (
        ("file", lambda: os.close(os.open(f"{folder}/new", os.O_CREAT | os.O_WRONLY))),
        ("nameless", lambda: os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))),
        ("folder", lambda: os.mkdir(f"{folder}/new folder")),
    ):
        try:
            change()
            done.append((folder, name))
        except OSError:
            pass
for path in ("canary", "turn", "/arena/sandbox/inside/pilot.py", "/usr/bin/env", "/etc/passwd"):
    for name, change in (
        ("mode", lambda: os.chmod(path, 0o777)),
        ("end", lambda: os.truncate(path, 0)),
        ("gone", lambda: os.unlink(path)),
        ("link", lambda: os.link(path, "/tmp/link")),
        ("moved", lambda: os.rename(path, "/tmp/moved")),
        ("written", lambda: os.open(path, os.O_RDWR)),
    ):
        try:
            change()
            done.append((path, name))
        except OSError:
            pass
print("refused" if not done else done[:10])
