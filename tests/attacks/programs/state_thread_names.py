# tries: to leave a note in the name, the score and the clock adjustments of the process that starts it
# expect: answer refused
import os

done = []
for pid in {1, os.getppid()}:
    for name in (
        "comm",
        "oom_score_adj",
        "oom_adj",
        "timerslack_ns",
        "coredump_filter",
        "attr/current",
        "sched",
        "clear_refs",
        "autogroup",
        "timens_offsets",
        "uid_map",
        "setgroups",
        "loginuid",
        "make-it-fail",
    ):
        for path in (f"/proc/{pid}/{name}", f"/proc/{pid}/task/{pid}/{name}"):
            try:
                if os.stat(path).st_rdev != os.makedev(1, 3):  # covered by /dev/null
                    os.write(os.open(path, os.O_WRONLY), b"1")
                    done.append(path)
            except OSError:
                pass
print(done or "refused")
