# tries: to sign a message as the pilot, as root, and to learn who is behind a socket
# expect: answer refused
import os, socket, struct

SCM_CREDENTIALS, SO_PASSCRED, SO_PEERCRED, SO_PEERSEC, SO_PEERGROUPS = 2, 16, 17, 31, 59
SO_PASSPIDFD, SO_PEERPIDFD = 76, 77
done = []
here, away = socket.socketpair()
try:
    away.setsockopt(socket.SOL_SOCKET, SO_PASSCRED, 1)
except OSError:
    pass
for name, who in (
    ("pilot", (1, os.getuid(), os.getgid())),
    ("user 0", (os.getpid(), 0, os.getgid())),
    ("group 0", (os.getpid(), os.getuid(), 0)),
):
    signed = [(socket.SOL_SOCKET, SCM_CREDENTIALS, struct.pack("iII", *who))]
    try:
        here.sendmsg([b"x"], signed)
        done.append(name)
    except OSError:
        pass
try:
    here.setsockopt(socket.SOL_SOCKET, SO_PASSPIDFD, 1)
    done.append("handles in messages")
except OSError:
    pass
try:
    here.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD, 4)
    done.append("handle")
except OSError:
    pass
try:
    pid, uid, gid = struct.unpack("iII", here.getsockopt(socket.SOL_SOCKET, SO_PEERCRED, 12))
    if (pid, uid, gid) != (os.getpid(), os.getuid(), os.getgid()):
        done.append((pid, uid, gid))
except OSError:
    pass
try:
    groups = here.getsockopt(socket.SOL_SOCKET, SO_PEERGROUPS, 400)
    groups = set(struct.unpack(f"{len(groups) // 4}I", groups))
    if not groups <= {os.getgid(), 65534}:
        done.append(groups)
except OSError:
    pass
print(done or "refused")
