# tries: to have the kernel end the pilot, or never itself, when memory runs out
# expect: answer refused
import os

done = []
for pid in ("1", "1/task/1", str(os.getppid())):
    for name, value in (("oom_score_adj", b"1000"), ("oom_adj", b"15")):
        try:
            os.write(os.open(f"/proc/{pid}/{name}", os.O_WRONLY), value)
            done.append((pid, name))
        except OSError:
            pass
for name, value in (("oom_score_adj", b"-1000"), ("oom_adj", b"-17")):
    try:
        os.write(os.open(f"/proc/self/{name}", os.O_WRONLY), value)
        done.append(("self", name))
    except OSError:
        pass
print(done or "refused")
