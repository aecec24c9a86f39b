# tries: to become root through programs that make their user root
# expect: answer refused
import glob, os, stat, subprocess

done = []
marked = [
    path
    for pattern in ("/usr/bin/*", "/usr/sbin/*", "/bin/*", "/usr/lib/*/*")
    for path in glob.glob(pattern)
    if os.path.isfile(path) and os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)
]
for path in [
    path for path in marked if os.path.basename(path) in ("su", "passwd", "chsh", "mount")
]:
    inside, end = os.pipe()
    process = subprocess.Popen([path], stdin=inside, stdout=-3, stderr=-3)
    try:
        status = open(f"/proc/{process.pid}/status").read()
        users = {
            int(n)
            for line in status.splitlines()
            if line[:4] in ("Uid:", "Gid:")
            for n in line.split()[1:]
        }
        if not users <= {os.getuid(), os.getgid()}:
            done.append((path, users))
    except OSError:
        pass
    process.kill()
    process.wait()
if "NoNewPrivs:\t1" not in open("/proc/self/status").read():
    done.append("new privileges")
print("refused" if not done else done)
