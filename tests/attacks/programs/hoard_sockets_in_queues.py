# tries: to keep connections that nobody accepts, with data in each, at a name of its own
# expect: answer bounded
import socket

held = []
server = socket.socket(socket.AF_UNIX)
try:
    server.bind("\0queue")
    server.listen(1 << 30)
    while len(held) < 1000:
        client = socket.socket(socket.AF_UNIX)
        client.setblocking(False)
        client.connect("\0queue")
        client.send(bytes(4096))
        held.append(client)
except OSError:
    pass
print("bounded" if len(held) < 300 else len(held))
