# tries: to leave a socket in /tmp, bound and listening, and to meet it in the next question
# expect: answer fresh
import os, socket

found = []
for name in ("stream", "bound"):
    client = socket.socket(socket.AF_UNIX)
    try:
        client.connect(f"/tmp/{name}")
        found.append(name)
    except FileNotFoundError:
        pass
    except OSError as error:
        found.append((name, error.strerror))
server = socket.socket(socket.AF_UNIX)
try:
    server.bind("/tmp/stream")
    server.listen()
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind("/tmp/bound")
except OSError:
    server = None
print(found or "fresh", flush=True)
if server and os.fork() == 0:
    os.setsid()
    server.accept()
