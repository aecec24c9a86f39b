# tries: to leave a note in what its own network counts of sockets that no network is needed for
# expect: answer fresh
import os, socket

COUNTED = (
    "unix",
    "sockstat",
    "sockstat6",
    "protocols",
    "netlink",
    "packet",
    "dev",
    "snmp",
    "tcp",
    "udp",
)


def counts():
    found = {}
    for name in COUNTED:
        try:
            found[name] = open(f"/proc/self/net/{name}").read()
        except OSError:
            pass
    return found


before = counts()
for number in range(50):
    here, away = socket.socketpair()
    here.send(b"note")
    server = socket.socket(socket.AF_UNIX)
    try:
        server.bind(f"\0note{number}")
    except OSError:
        pass
    server.close()
    here.close()
    away.close()
after = counts()
own = {"unix", "dev", "tcp", "udp", "netlink", "packet", "snmp"}
found = [name for name in own & before.keys() if before[name] != after.get(name)]
print(found or "fresh")
