# tries: to connect to whatever the pilot or the referee may listen at
# expect: answer refused
import os, socket

done = []
names = [
    "\0arena",
    "\0pilot",
    "\0control",
    "\0zygote",
    "\0/tmp/control",
    "/arena/control",
    "/control",
    "/run/docker.sock",
    "/tmp/control",
]
try:
    lines = [line.split() for line in open("/proc/self/net/unix")]
    names += [words[7] for words in lines[1:] if len(words) > 7]
except OSError:
    pass
for top in ("/arena", "/run", "/var/run", "/dev", "/tmp"):
    for folder, _, files in os.walk(top):
        names += [os.path.join(folder, name) for name in files][:200]
for name in names:
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM):
        end = socket.socket(socket.AF_UNIX, kind)
        try:
            end.connect(name)
            done.append(name)
        except OSError:
            pass
        end.close()
print(done or "refused")
