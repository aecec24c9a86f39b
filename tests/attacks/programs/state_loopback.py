# tries: to leave a note in what the loopback network has counted
# expect: answer fresh
import socket

print("found" if "lo:       0 " not in open("/proc/self/net/dev").read() else "fresh")
try:
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b"note", ("127.0.0.1", 9))
except OSError:
    pass
