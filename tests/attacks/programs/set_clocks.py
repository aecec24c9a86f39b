# tries: to change the time that its deadline is measured by
# expect: answer refused
import ctypes, time

libc = ctypes.CDLL(None, use_errno=True)
done = []
for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC):
    try:
        time.clock_settime(clock, time.clock_gettime(clock))
        done.append(clock)
    except OSError:
        pass
now = (ctypes.c_long * 2)(int(time.time()), 0)
done += ["settimeofday"] if libc.settimeofday(now, None) == 0 else []
change = ctypes.create_string_buffer(256)
done += ["adjtimex"] if libc.adjtimex(change) >= 0 else []
print("refused" if not done else done)
